/* families.h - one exported array per family file, each ended by a row without a name. functions.c lists them. */
#ifndef EXECUTOR_FUNCTIONS_FAMILIES_H
#define EXECUTOR_FUNCTIONS_FAMILIES_H

#include "storage/catalog/builtin.h"

extern const FuncDef fn_acl_rows[], fn_advisory_rows[], fn_array_rows[], fn_backend_rows[], fn_bytea_rows[], fn_case_rows[], fn_catalog_rows[], fn_describe_rows[], fn_store_rows[], fn_date_rows[], fn_enum_rows[], fn_float_rows[], fn_format_rows[], fn_int_rows[], fn_privilege_rows[];
extern const FuncDef fn_json_rows[], fn_json_build_rows[], fn_json_set_rows[], fn_json_text_rows[], fn_keyspace_rows[], fn_keywords_rows[], fn_numeric_rows[], fn_pattern_rows[], fn_quote_rows[];
extern const FuncDef fn_notify_rows[], fn_rowkey_rows[], fn_sequence_rows[], fn_series_rows[], fn_session_rows[], fn_tablets_rows[], fn_text_rows[];
extern const FuncDef fn_angle_rows[], fn_array_shape_rows[], fn_bits_rows[], fn_identifier_rows[], fn_json_object_rows[], fn_json_path_rows[], fn_size_rows[], fn_overlaps_rows[], fn_random_rows[], fn_regexp_rows[], fn_split_rows[], fn_unicode_rows[];
extern const FuncDef fn_bit_string_rows[], fn_crypto_rows[], fn_inet_rows[], fn_money_rows[], fn_multirange_rows[], fn_uuid_rows[], fn_range_rows[], fn_range_make_rows[];
extern const AggDef fn_money_aggregate_rows[], fn_multirange_aggregate_rows[];
extern const AggDef fn_ordered_set_rows[], fn_regression_rows[], fn_aggregate_rows[], fn_json_aggregate_rows[], fn_collect_rows[], fn_statistics_rows[];

#endif
