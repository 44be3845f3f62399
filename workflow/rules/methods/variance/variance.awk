# Variance of every feature per fold, over all rows (ssl) and over the labelled rows (sl).
# Usage: awk -v scale=range -f variance.awk about.json fold0.csv fold1.csv ...

# The fields of one CSV line, which may be quoted, into the array `field`; gives their number.
function fields(line,    n, text, part) {
    n = 0
    while (1) {
        if (substr(line, 1, 1) == "\"") {
            text = ""
            line = substr(line, 2)
            while (match(line, /"/)) {
                text = text substr(line, 1, RSTART - 1)
                line = substr(line, RSTART + 1)
                if (substr(line, 1, 1) != "\"") break
                text = text "\""
                line = substr(line, 2)
            }
            part = index(line, ",")
        } else {
            part = index(line, ",")
            text = part ? substr(line, 1, part - 1) : line
        }
        field[++n] = text
        if (!part) return n
        line = substr(line, part + 1)
    }
}

function clear() {
    split("", count); split("", sum); split("", squares); split("", low); split("", high); split("", seen)
}

# One more value of feature j; `mode` keeps the two sets of rows apart.
function add(mode, j, value) {
    count[mode, j]++
    if (nominal[name[j]]) {
        seen[mode, j, value]++
        return
    }
    # Differences to the first value: the variance of large numbers would cancel otherwise.
    if (count[mode, j] == 1) { first[mode, j] = value; low[mode, j] = high[mode, j] = value }
    if (value < low[mode, j]) low[mode, j] = value
    if (value > high[mode, j]) high[mode, j] = value
    sum[mode, j] += value - first[mode, j]
    squares[mode, j] += (value - first[mode, j]) ^ 2
}

function importance(mode, j,    n, result, key, part) {
    n = count[mode, j]
    if (!n) return 0
    if (nominal[name[j]]) {
        result = 1
        for (key in seen) {
            split(key, part, SUBSEP)
            if (part[1] == mode && part[2] == j) result -= (seen[key] / n) ^ 2
        }
        return result
    }
    result = squares[mode, j] / n - (sum[mode, j] / n) ^ 2
    if (result < 0) result = 0
    if (scale == "range" && high[mode, j] > low[mode, j]) result /= (high[mode, j] - low[mode, j]) ^ 2
    return result
}

function report(    j, text) {
    for (j = 1; j <= features; j++) {
        text = name[j]
        gsub(/"/, "\"\"", text)
        printf "ssl,%d,variance,\"%s\",%.15g\n", fold, text, importance("ssl", j)
        printf "sl,%d,variance,\"%s\",%.15g\n", fold, text, importance("sl", j)
    }
}

BEGIN { print "mode,fold,ranking,feature,importance" }

# about.json has one list item per line: enough for awk.
FILENAME ~ /about\.json$/ {
    if (match($0, /^ "[a-z]+":/)) section = substr($0, 3, RLENGTH - 4)
    else if (match($0, /^  "/)) {
        text = $0
        sub(/^  "/, "", text)
        sub(/",?$/, "", text)
        gsub(/\\"/, "\"", text)
        gsub(/\\\\/, "\\", text)
        if (section == "features") features++
        if (section == "nominal") nominal[text] = 1
    }
    next
}

FNR == 1 {
    if (started) report()
    started = 1
    fold = FILENAME
    sub(/.*fold/, "", fold)
    sub(/\.csv$/, "", fold)
    clear()
    n = fields($0)
    for (j = 1; j <= n; j++) name[j] = field[j]
    next
}

{
    n = fields($0)
    labeled = 0
    for (j = features + 1; j <= n; j++) if (field[j] != "") labeled = 1
    for (j = 1; j <= features; j++) {
        if (field[j] == "") continue
        add("ssl", j, nominal[name[j]] ? field[j] : field[j] + 0)
        if (labeled) add("sl", j, nominal[name[j]] ? field[j] : field[j] + 0)
    }
}

END { if (started) report() }
