"""Splits of partly labelled data: folds with label sets, stratified folds and the splitter ``LabeledKFold``."""
