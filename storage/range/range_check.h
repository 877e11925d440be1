/* range_check.h - are the records of the ranges whole, and do their counters say what is in the map?
 *
 * Reads one snapshot, so it may run while commits go on: records and counters move in the same commits as the pairs.
 * Needs memory for the records only. ST_ERROR: the check could not be made.
 */
#ifndef STORAGE_RANGE_RANGE_CHECK_H
#define STORAGE_RANGE_RANGE_CHECK_H

#include "storage/base/finding.h"
#include "storage/kv/kv.h"

Status range_check(KvSnapshot *snapshot, Findings *findings, Error *err);

#endif
