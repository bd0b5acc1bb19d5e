"""What the words in signatures stand for: checkers take any value here, the functions themselves say what will not do."""
from typing import Any

Number = Any  # a number, or a framework's array that is one
Array = Any  # what NumPy takes for an array, or an array of a framework
MaterialLike = Any  # epsilon, (epsilon, mu, kappa), a Material
LatticeLike = Any  # a Lattice, a period, sides, rows
WaveVectorLike = Any  # a WaveVector, or the components along the lattice
Light = Any  # a PlaneWave, a Wave, or coefficients of the modes
Modes = Any  # rows of modes
