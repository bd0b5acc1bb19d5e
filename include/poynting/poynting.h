/* poynting.h: the user's one include. */
#ifndef POYNTING_POYNTING_H
#define POYNTING_POYNTING_H

#include "poynting/arrange.h"
#include "poynting/array.h"
#include "poynting/base.h"
#include "poynting/control.h"
#include "poynting/exchange.h"
#include "poynting/farfield.h"
#include "poynting/functional.h"
#include "poynting/guide.h"
#include "poynting/lattice.h"
#include "poynting/linalg.h"
#include "poynting/media.h"
#include "poynting/operator.h"
#include "poynting/ops.h"
#include "poynting/particle.h"
#include "poynting/periodic.h"
#include "poynting/pulse.h"
#include "poynting/recipe.h"
#include "poynting/record.h"
#include "poynting/result.h"
#include "poynting/run.h"
#include "poynting/smatrix.h"
#include "poynting/solve.h"
#include "poynting/sparse.h"
#include "poynting/special.h"
#include "poynting/sphere_array.h"
#include "poynting/spheres.h"
#include "poynting/tmatrix.h"
#include "poynting/waves.h"

#endif
