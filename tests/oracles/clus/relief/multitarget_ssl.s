[General]
RandomSeed = 1
[Data]
File = data/multitarget_ssl.arff
[Attributes]
Descriptive = 1-20
Target = 21-23
[Ensemble]
NumberOfThreads = 1
[SemiSupervised]
PossibleWeights = [0.0,1.0]
[Relief]
Neighbours = 15
Iterations = -1
WeightNeighbours = No
MissingTargetHandling = UseDescriptive
