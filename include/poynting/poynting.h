/* poynting.h: the user's one include. */
#ifndef POYNTING_POYNTING_H
#define POYNTING_POYNTING_H

#include "poynting/base.h"

#endif
