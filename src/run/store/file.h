/* file.h: an HDF5 file driver whose flushes are transactions: whenever the process dies or the power fails, the
 * file is as it was at the last flush. A flush waits for the disk. */
#ifndef POYI_STORE_FILE_H
#define POYI_STORE_FILE_H

#include <hdf5.h>

/* An access list that uses the driver; H5I_INVALID_HID on failure. The caller closes it. */
hid_t poyi_file_access(void);
/* Why the last open of this thread failed: "locked by another process"; "" if the driver did not fail it. */
const char *poyi_file_open_error(void);
/* Why a write to an open file failed: "No space left on device"; "". */
const char *poyi_file_write_error(hid_t file);
/* From now on nothing more is written: the file stays as it was at the last flush, closing it succeeds. */
void poyi_file_abandon(hid_t file);

/* For tests: called before every change of the disk with its number, counted from 1 since it was set. A nonzero answer
 * makes the change fail as if the disk were full; the function may as well end the process. NULL: none. */
typedef int poyi_file_fault_fn(void *user, long number);
void poyi_file_set_fault(poyi_file_fault_fn *fn, void *user);

#endif
