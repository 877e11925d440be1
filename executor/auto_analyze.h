/* auto_analyze.h - ANALYZE by itself: a thread that looks at what has changed and analyzes tables of which enough has.
 *
 * As PostgreSQL's autovacuum decides it: changed rows > threshold + scale factor * rows at the last ANALYZE. The cluster
 * settings sql.stats.automatic_collection.* have both (their other names are PostgreSQL's), how often it looks, and the
 * switch. It runs the statement in a session of its own, which gives up where it would have to wait for a lock. Changes are
 * counted from the server's start.
 */
#ifndef EXECUTOR_AUTO_ANALYZE_H
#define EXECUTOR_AUTO_ANALYZE_H

#include "executor/stmt.h"
#include "storage/catalog/catalog.h"

typedef struct AutoAnalyze AutoAnalyze;

/* by_itself false: only the records are kept. */
AutoAnalyze *auto_analyze_start(Server *server, bool by_itself);
void auto_analyze_stop(AutoAnalyze *a);

/* What is known of a table, for pg_stat_user_tables. Times since 1970; 0: never. */
typedef struct AnalyzeRecord {
    DescId table_id;
    uint64_t changes_before; /* rows changed up to the last ANALYZE */
    int64_t analyzed_at_us;  /* the last ANALYZE that was seen, of either kind */
    int64_t by_hand_at_us, by_itself_at_us;
    int64_t by_hand_count, by_itself_count; /* since the server's start */
    int64_t tried_at_us;     /* failed then */
} AnalyzeRecord;
/* stats: the table's, as of now. */
AnalyzeRecord auto_analyze_record(AutoAnalyze *a, const TableDesc *table, const TableStats *stats);
/* Rows inserted, updated and deleted since the server's start. */
uint64_t auto_analyze_changes(Store *store, const TableDesc *table);

#endif
