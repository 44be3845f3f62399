# Replace myevaluator by your evaluator's name, and the command by your own.


rule myevaluator:
    input:
        data="results/{study}/exchange/{dataset}/rows-csv",
        splits="results/{study}/splits/{dataset}.json",
        rankings="results/{study}/exchange/{dataset}/{method}/rankings.csv",
        program=from_repository_root("workflow/rules/evaluators/myevaluator/myevaluator.py"),
    output:
        "results/{study}/exchange/{dataset}/{method}/scores/{evaluator}.csv",
    log:
        "results/{study}/logs/exchange/{dataset}/{method}/scores/{evaluator}.log",
    benchmark:
        "results/{study}/benchmarks/exchange/{dataset}/{method}/scores/{evaluator}.tsv"
    wildcard_constraints:
        evaluator=scored_by("myevaluator"),
    conda:
        ENVIRONMENT
    params:
        n_top=setting("n_top", 3),
    shell:
        """
        python {input.program} {input.data} {input.splits} {input.rankings} {params.n_top} >{output} 2>{log} \
            || {{ echo "failed with exit code $?:"; tail -n 1 {log}; }} >{output}
        """
