/* controller.h: the error of a trial step, and the lagged PI controller that turns it into the next step's length. */
#ifndef POYI_CONTROLLER_H
#define POYI_CONTROLLER_H

typedef struct poyi_limits {
    double h_min, h_max; /* m */
} poyi_limits;

/* h: what the next step wants to be (m). err_prev: error of the accepted step that set h; 0: none yet.
 * rejections: in a row, up to now. */
typedef struct poyi_step_control {
    double h, err_prev;
    int rejections;
} poyi_step_control;

enum { POYI_REJECTIONS_MAX = 10 };

/* What a rejection came to. */
typedef enum poyi_retry { POYI_RETRY, POYI_RETRY_AT_MINIMUM, POYI_RETRY_TOO_OFTEN } poyi_retry;

/* ||e|| / (rtol max(||u||, ||un||, atol)) from the three sums of squares. 0 where e is 0, whatever the rest; not finite
 * (a rejection) where a sum is not. */
double poyi_step_error(const double sums[3], double rtol, double atol);

/* A step of length h was accepted with error err <= 1. truncated: h was less than the controller asked for, in order to
 * land; then the proposal may grow but never shrinks. Source:
 * K. Gustafsson, ACM Trans. Math. Softw. 17, 533 (1991). */
void poyi_step_accepted(poyi_step_control *c, const poyi_limits *limits, double h, double err, int truncated);

/* A step of length h was rejected (err > 1 or not finite): sets the length to try next, or says why there is none. */
poyi_retry poyi_step_rejected(poyi_step_control *c, const poyi_limits *limits, double h, double err);

#endif
