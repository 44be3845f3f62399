# Variance of the features, by awk.


rule variance:
    input:
        data="results/{study}/exchange/{dataset}/L{L}-csv",
        program=from_repository_root("workflow/rules/methods/variance/variance.awk"),
    output:
        "results/{study}/exchange/{dataset}/{method}/L{L}.csv",
    log:
        "results/{study}/logs/exchange/{dataset}/{method}/L{L}.log",
    benchmark:
        "results/{study}/benchmarks/exchange/{dataset}/{method}/L{L}.tsv"
    wildcard_constraints:
        method=ranked_by("variance"),
    conda:
        ENVIRONMENT
    params:
        fold_limit=of_study(StudyPlan.fold_limit),  # seconds for the modes of a fold; 0: no limit
        spec=of_study(StudyPlan.spec, "method"),
        scale=parameter("scale", "range"),
    shell:
        """
        limit=$(({params.fold_limit} * $(find {input.data} -name 'fold*' | wc -l)))
        [ $limit = 0 ] && limited= || limited="timeout $limit"
        $limited awk -v scale={params.scale} -f {input.program} {input.data}/about.json {input.data}/fold*.csv \
            >{output} 2>{log} || {{ echo "failed with exit code $?:"; tail -n 1 {log}; }} >{output}
        """
