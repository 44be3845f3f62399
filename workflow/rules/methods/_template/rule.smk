# Gives every feature the same importance: replace the command by your own.


rule mymethod:
    input:
        "results/{study}/exchange/{dataset}/L{L}-csv",
    output:
        "results/{study}/exchange/{dataset}/{method}/L{L}.csv",
    log:
        "results/{study}/logs/exchange/{dataset}/{method}/L{L}.log",
    benchmark:
        "results/{study}/benchmarks/exchange/{dataset}/{method}/L{L}.tsv"
    wildcard_constraints:
        method=one_of(PLAN.methods_of_rule("mymethod")),
    conda:
        "../../../../envs/sslrank.yaml"
    params:
        spec=lambda w: PLAN.methods[w.method].spec(PLAN.studies[w.study]),
        value=lambda w: PLAN.parameter(w.study, w.method, "value", 1),
    shell:
        """
        (
            echo "mode,fold,ranking,feature,importance"
            for file in {input}/fold*.csv; do
                fold=$(basename "$file" .csv)
                for mode in ssl sl; do
                    python -c 'import json, sys; print(*json.load(open(sys.argv[1]))["features"], sep="\\n")' \
                        {input}/about.json \
                        | sed "s/.*/$mode,${{fold#fold}},mymethod,\\" &
                    \\",{params.value}/"
                done
            done
        ) >{output} 2>{log} || {{ echo "failed:"; tail -n 1 {log}; }} >{output}
        """
