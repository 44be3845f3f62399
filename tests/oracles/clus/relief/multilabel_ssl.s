[General]
RandomSeed = 1
[Data]
File = multilabel_ssl.arff
[Attributes]
Descriptive = 1-6
Target = 7-9
[Ensemble]
NumberOfThreads = 1
[SemiSupervised]
PossibleWeights = [0.0,1.0]
[Relief]
Neighbours = 15
Iterations = -1
WeightNeighbours = No
MissingTargetHandling = UseDescriptive
