[General]
RandomSeed = 1
[Data]
File = multilabel_train.arff
TestSet = multilabel_test.arff
[Attributes]
Descriptive = 1-6
Target = 7-9
[kNN]
K = [3,10]
AttributeWeighting = [0.9,0.31,0.53,0.72,0.44,0.23]
[Output]
WritePredictions = Test
