[General]
RandomSeed = 1
[Data]
File = class_full.arff
[Attributes]
Descriptive = 1-6
Target = 7
[Ensemble]
NumberOfThreads = 1
[SemiSupervised]
PossibleWeights = [0.5,1.0]
[Relief]
Neighbours = 10
Iterations = -1
WeightNeighbours = No
MissingTargetHandling = Impute
