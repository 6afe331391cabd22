// VU0 and VU1 of a machine, connected to the EE's coprocessor port.
#include "harness/vu0.h"

bool vector_units_new(struct vector_units *units, const struct vu_config *config)
{
    *units = (struct vector_units){.vu0 = vu_new(VU_UNIT_0, config), .vu1 = vu_new(VU_UNIT_1, config)};
    if (!units->vu0 || !units->vu1) {
        vector_units_free(units);
        return false;
    }
    vu_set_window(units->vu0, units->vu1);
    units->cop2.vu0 = units->vu0;
    units->cop2.vu1 = units->vu1;
    units->port = (struct ee_cop2){
        .context = &units->cop2,
        .execute = vu_cop2_execute,
        .read = vu_cop2_read,
        .write = vu_cop2_write,
        .read_control = vu_cop2_read_control,
        .write_control = vu_cop2_write_control,
        .condition = vu_cop2_condition,
    };
    return true;
}

void vector_units_free(struct vector_units *units)
{
    vu_free(units->vu0);
    vu_free(units->vu1);
    *units = (struct vector_units){.vu0 = NULL};
}

void vector_units_attach(struct vector_units *units, struct ee *ee)
{
    units->port.context = &units->cop2; // the structure may have been moved since it was made
    ee_set_cop2(ee, &units->port);
}
