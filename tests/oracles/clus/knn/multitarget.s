[General]
RandomSeed = 1
[Data]
File = multitarget_train.arff
TestSet = multitarget_test.arff
[Attributes]
Descriptive = 1-20
Target = 21-23
[kNN]
K = [3,10]
AttributeWeighting = [0.05,0.4,0.75,0.1,0.45,0.8,0.15,0.5,0.85,0.2,0.55,0.9,0.25,0.6,0.95,0.3,0.65,1.0,0.35,0.7]
[Output]
WritePredictions = Test
