"""What the package offers, for type checkers: the names of __init__.py, which are imported when they are asked for."""
from types import ModuleType as _ModuleType

from ._recipe import Recipe as Recipe, resume as resume, run as run
from ._scan import Scan as Scan, scan as scan
from ._objective import Objective as Objective, check_grad as check_grad, objective as objective, value_and_grad as value_and_grad
from ._result import Result as Result, open as open
from ._media import Material as Material
from ._bases import (
    CylindricalBasis as CylindricalBasis,
    PlaneWaveBasis as PlaneWaveBasis,
    PlaneWavePorts as PlaneWavePorts,
    SphericalBasis as SphericalBasis,
)
from ._lattice import Lattice as Lattice, WaveVector as WaveVector
from ._outcomes import (
    BandModes as BandModes,
    CircularDichroism as CircularDichroism,
    CrossSections as CrossSections,
    PowerBalance as PowerBalance,
    ScatteredPorts as ScatteredPorts,
)
from ._waves import (
    PlaneWave as PlaneWave,
    Wave as Wave,
    cylindrical_wave as cylindrical_wave,
    plane_wave as plane_wave,
    plane_wave_angle as plane_wave_angle,
    spherical_wave as spherical_wave,
)
from ._tmatrix import (
    CylindricalTMatrix as CylindricalTMatrix,
    TMatrix as TMatrix,
    cylinder_tmatrix as cylinder_tmatrix,
    multilayer_cylinder_tmatrix as multilayer_cylinder_tmatrix,
    multilayer_sphere_tmatrix as multilayer_sphere_tmatrix,
    sphere_tmatrix as sphere_tmatrix,
)
from ._cluster import Cluster as Cluster, ScatteringFactor as ScatteringFactor
from ._periodic import PeriodicResponse as PeriodicResponse, PeriodicWave as PeriodicWave, solve_periodic as solve_periodic
from ._smatrix import (
    SMatrix as SMatrix,
    ScatteringBlock as ScatteringBlock,
    chirality_density as chirality_density,
    interface as interface,
    multilayer_slab as multilayer_slab,
    poynting_avg_z as poynting_avg_z,
    propagation as propagation,
    slab as slab,
    stack as stack,
)
from ._core import load_records as load_records, quantity as quantity, records as records
from . import diff as diff
from . import operators as operators
from . import special as special
from . import sw as sw
from . import cw as cw
from . import pw as pw
from . import misc as misc
from . import coeffs as coeffs
from . import lattice as lattice
from . import io as io
from . import ebcm as ebcm
from . import iterative as iterative
from . import parallel as parallel
from . import testing as testing
from ._catalog import support_catalog as support_catalog
from .parallel import ThreadingWarning as ThreadingWarning, thread_info as thread_info, threads as threads
from . import units as units

from ._errors import (
    PoyntingError as PoyntingError,
    ArgumentError as ArgumentError,
    ShapeError as ShapeError,
    BroadcastError as BroadcastError,
    AxisError as AxisError,
    IndexError as IndexError,
    EmptyError as EmptyError,
    DtypeError as DtypeError,
    ComplexToRealError as ComplexToRealError,
    SingularError as SingularError,
    NotPdError as NotPdError,
    RangeError as RangeError,
    NotDifferentiableError as NotDifferentiableError,
    NonfiniteError as NonfiniteError,
    NoConvergenceError as NoConvergenceError,
    ThresholdError as ThresholdError,
    StepError as StepError,
    MismatchError as MismatchError,
    StateError as StateError,
    BackendError as BackendError,
    UnsupportedError as UnsupportedError,
    ConflictError as ConflictError,
    BudgetError as BudgetError,
    MemoryError as MemoryError,
    RecipeError as RecipeError,
    IoError as IoError,
    InterruptedError as InterruptedError,
    CallbackError as CallbackError,
    DeviceError as DeviceError,
    InternalError as InternalError,
)

jax: _ModuleType
torch: _ModuleType
autograd: _ModuleType
advect: _ModuleType
__version__: str
__all__: list[str]

def get_num_threads() -> int: ...
def set_num_threads(n: int) -> None: ...
