/* zones.h - between zones.c, which has the records, and range_control.c, which keeps them in memory. */
#ifndef EXECUTOR_ZONES_H
#define EXECUTOR_ZONES_H

#include "executor/range_control.h"

/* What is not set is taken from above. */
void zone_inherit(ZoneConfig *config, const ZoneConfig *above);
/* What is committed. */
Status zones_read_all(Kv *kv, ZoneRecords *records, Arena *arena, Error *err);
/* Reads them anew; ranges are judged by them from then on. */
Status zones_load(Server *server, Error *err);

#endif
