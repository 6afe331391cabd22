// ee/float behind one call per shape, so that tests can treat scalar, lanes and model alike.
#ifndef TESTS_SUPPORT_FLOAT_RUN_H
#define TESTS_SUPPORT_FLOAT_RUN_H

#include "tests/model/float_model.h"

struct ee_float float_scalar(enum float_operation operation, uint32_t acc, uint32_t a, uint32_t b);

// Whether ee_float4 offers the operation. From-int and to-int take one number of fraction bits: that of lane
// 0.
bool float_has_lanes(enum float_operation operation);
void float_lanes(enum float_operation operation, const uint32_t acc[4], const uint32_t a[4],
                 const uint32_t b[4], struct ee_float results[4]);

#endif
