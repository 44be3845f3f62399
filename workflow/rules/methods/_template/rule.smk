# Replace mymethod by your method's name, and the command by your own.


rule mymethod:
    input:
        data="results/{study}/exchange/{dataset}/L{L}-csv",
        program=from_repository_root("workflow/rules/methods/mymethod/mymethod.py"),
    output:
        "results/{study}/exchange/{dataset}/{method}/L{L}.csv",
    log:
        "results/{study}/logs/exchange/{dataset}/{method}/L{L}.log",
    benchmark:
        "results/{study}/benchmarks/exchange/{dataset}/{method}/L{L}.tsv"
    wildcard_constraints:
        method=ranked_by("mymethod"),
    conda:
        ENVIRONMENT
    params:
        fold_limit=of_study(StudyPlan.fold_limit),  # seconds for the modes of a fold; 0: no limit
        value=parameter("value", 1),
    shell:
        """
        limit=$(({params.fold_limit} * $(find {input.data} -name 'fold*' | wc -l)))
        [ $limit = 0 ] && limited= || limited="timeout $limit"
        $limited python {input.program} {input.data} {params.value} >{output} 2>{log} \
            || {{ echo "failed with exit code $?:"; tail -n 1 {log}; }} >{output}
        """
