"""Words for missing values: some are read as missing; others may mean missing, and a note names them."""

import re

#: Cells that mean a missing value in CSV, quoted or not.
BLANKS = ("", "?")
#: Words that mean a missing value if they are not quoted, or if the other values of the column are numbers.
NA_WORDS = ("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
#: Lower-case classes that may mean unlabelled.
MISSING_LABELS = ("-1", "-1.0", "nan", "<na>", "n/a", "?", "")
#: Words of a feature or target that may mean missing.
MAY_MEAN_MISSING = re.compile(
    r"unk|unknown|n/?a|\?+|\.+|-+|nan|null|missing|nk|do(es)?n'?t know|undetermined|"
    r"(not|un)[ -]?(known|available|stated|applicable|reported|recorded|specified|answered)|no (answer|response|data)|"
    r"k\. ?a\.?|keine angaben?|unbekannt|fehlend|fehlt|nicht (bekannt|erhoben|verfügbar)|inconnue?|manquante?|"
    r"non (disponible|renseigné)|desconocid[oa]|sin datos?|sconosciut[oa]|onbekend|"
    r"#(div/0|value|ref|num|null|wert|bezug|zahl)!|#name\?",
    re.IGNORECASE,
)
#: Names of rows of totals or means.
TOTALS = re.compile(
    r"(grand |sub[ -]?)?totals?:?|(grand |sub)?sums?:?|means?:?|averages?:?|overall:?|"
    r"((gesamt|zwischen)?summe|gesamt|insgesamt|mittelwert|durchschnitt|somme|moyenne|totaux|suma|totale|somma):?",
    re.IGNORECASE,
)
#: Lower-case words that mean no label as a class; as a category, "none" is a value like others.
MAY_MEAN_UNLABELED = re.compile(
    r"unlabell?ed|pending|none|nd|n\.d\.|n\.a\.|(not|un)[ -]?(done|tested|measured|labell?ed)|t\.?b\.?[da]\.?|to ?do"
)
