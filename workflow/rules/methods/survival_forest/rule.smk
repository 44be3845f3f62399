# Permutation importance of a random survival forest, by scikit-survival.


rule survival_forest:
    input:
        data="results/{study}/exchange/{dataset}/L{L}-csv",
        program=from_repository_root("workflow/rules/methods/survival_forest/survival_forest.py"),
    output:
        "results/{study}/exchange/{dataset}/{method}/L{L}.csv",
    log:
        "results/{study}/logs/exchange/{dataset}/{method}/L{L}.log",
    benchmark:
        "results/{study}/benchmarks/exchange/{dataset}/{method}/L{L}.tsv"
    wildcard_constraints:
        method=ranked_by("survival_forest"),
    conda:
        "environment.yaml"
    params:
        fold_limit=of_study(StudyPlan.fold_limit),  # seconds for the modes of a fold; 0: no limit
        trees=parameter("n_estimators", 200),
        leaf=parameter("min_samples_leaf", 15),
        repeats=parameter("n_repeats", 5),
    shell:
        """
        limit=$(({params.fold_limit} * $(find {input.data} -name 'fold*' | wc -l)))
        [ $limit = 0 ] && limited= || limited="timeout $limit"
        $limited python {input.program} {input.data} {params.trees} {params.leaf} {params.repeats} >{output} 2>{log} \
            || {{ echo "failed with exit code $?:"; tail -n 1 {log}; }} >{output}
        """
