/* broken.h: a backend that ends badly. */
#ifndef BROKEN_H
#define BROKEN_H

#include "poynting/backend.h"

extern const poy_backend_api broken_api;

/* The entry of the plug-in that broken.c is, too. */
POY_API poy_backend_entry_fn poy_backend_entry;

#endif
