#include "executor/ddl/ddl.h"

#include "executor/ddl/ddl_internal.h"

void ddl_notices(Exec *exec, const NoticeVec *notices)
{
    for (int i = 0; i < notices->count; i++) {
        const DdlNotice *notice = &notices->items[i];
        Error fields = {.sqlstate = notice->code, .message = notice->text, .detail = notice->detail,
                        .hint = notice->hint};
        bool warning = strncmp(sqlstate_code(notice->code), "01", 2) == 0 || notice->code == ERR_INVALID_GRANT_OPERATION;
        session_notice_error(exec->session, warning ? "WARNING" : "NOTICE", &fields);
    }
}

static Status run(Exec *exec, const PlanUtility *u, Batch *rows)
{
    switch (u->utility) {
    case UTILITY_CREATE_DATABASE:
    case UTILITY_CREATE_SCHEMA:
    case UTILITY_CREATE_VIEW:
    case UTILITY_CREATE_SEQUENCE:
    case UTILITY_CREATE_TYPE:
    case UTILITY_CREATE_ROLE: return ddl_create(exec, (const UtilityCreate *)u);
    case UTILITY_CREATE_TABLE: return ddl_create_table(exec, (const UtilityCreateTable *)u);
    case UTILITY_CREATE_TABLE_AS: return ddl_create_table_as(exec, (const UtilityCreateTableAs *)u);
    case UTILITY_ALTER_TABLE: return ddl_alter_table(exec, (const UtilityAlterTable *)u);
    case UTILITY_COMMENT:
    case UTILITY_GRANT:
    case UTILITY_ALTER_OTHER: return ddl_change(exec, (const UtilityChange *)u);
    case UTILITY_DROP: return ddl_drop(exec, (const UtilityDrop *)u);
    case UTILITY_TRUNCATE: return ddl_truncate(exec, (const UtilityTruncate *)u);
    case UTILITY_ANALYZE: return ddl_analyze(exec, (const UtilityAnalyze *)u);
    case UTILITY_LOCK_TABLE: return ST_OK; /* as all tables were locked before */
    case UTILITY_SPLIT_AT: return ddl_split_at(exec, (const UtilitySplitAt *)u, rows);
    case UTILITY_UNSPLIT_AT: return ddl_unsplit_at(exec, (const UtilitySplitAt *)u, rows);
    case UTILITY_RELOCATE: return ddl_relocate(exec, (const UtilityRelocate *)u, rows);
    case UTILITY_RELOCATE_RANGE: return ddl_relocate_range(exec, (const UtilityRelocateRange *)u, rows);
    case UTILITY_CONFIGURE_ZONE: return ddl_configure_zone(exec, (const UtilityConfigureZone *)u);
    case UTILITY_FORECAST: return ddl_forecast(exec, (const UtilityForecast *)u, rows);
    case UTILITY_SCATTER: return ddl_scatter(exec, (const UtilityScatter *)u, rows);
    case UTILITY_VACUUM: return ST_OK; /* there is nothing to clean */
    case UTILITY_CREATE_INDEX:
    case UTILITY_BEGIN:
    case UTILITY_COMMIT:
    case UTILITY_ROLLBACK:
    case UTILITY_SAVEPOINT:
    case UTILITY_RELEASE:
    case UTILITY_ROLLBACK_TO:
    case UTILITY_SET_TRANSACTION:
    case UTILITY_SET_CONSTRAINTS:
    case UTILITY_SET:
    case UTILITY_RESET:
    case UTILITY_SHOW:
    case UTILITY_DISCARD:
    case UTILITY_PREPARE:
    case UTILITY_EXECUTE:
    case UTILITY_DEALLOCATE:
    case UTILITY_DECLARE:
    case UTILITY_FETCH:
    case UTILITY_CLOSE:
    case UTILITY_EXPLAIN:
    case UTILITY_COPY:
    case UTILITY_LISTEN:
    case UTILITY_NOTIFY:
    case UTILITY_DO:
    case UTILITY_CHECKPOINT:
    case UTILITY_DO_NOTHING: break;
    }
    return err_unsupported(exec->err, exec->arena, u->tag);
}

bool ddl_handles(UtilityKind kind)
{
    return (kind >= UTILITY_CREATE_DATABASE && kind <= UTILITY_FORECAST);
}

Status ddl_run(Exec *exec, const PlanUtility *utility, Batch *rows)
{
    return run(exec, utility, rows);
}
