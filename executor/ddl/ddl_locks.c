/* ddl_locks.c - the tables that a statement changes, and how far it keeps the others away from each: PostgreSQL's modes. */
#include "executor/ddl/ddl.h"
#include "executor/ddl/ddl_internal.h"

typedef struct Uses {
    TableUseVec *list;
    Arena *arena;
} Uses;

static void use(const Uses *u, DescId table, TableLockMode mode)
{
    VEC_PUSH(u->arena, *u->list, (TableUse){table, mode});
}

/* An index being filled must not miss a writer's row, but readers may go on. */
static TableLockMode alter_mode(const UtilityAlterTable *alter)
{
    bool only_fills = alter->steps.count > 0;
    for (int i = 0; i < alter->steps.count; i++)
        only_fills = only_fills && alter->steps.items[i].kind == ALTER_STEP_BACKFILL_INDEX;
    return only_fills ? TABLE_SHARE : TABLE_ACCESS_EXCLUSIVE;
}

static void use_changed(const Uses *u, const Desc *before, TableLockMode mode)
{
    if (before && before->kind == DESC_TABLE) use(u, before->id, mode);
}

static void use_dropped(const Uses *u, const UtilityDrop *drop)
{
    for (int i = 0; i < drop->objects.count; i++) use_changed(u, drop->objects.items[i], TABLE_ACCESS_EXCLUSIVE);
    for (int i = 0; i < drop->changes.count; i++) use_changed(u, drop->changes.items[i].before, TABLE_ACCESS_EXCLUSIVE);
}

/* Their rows must not change while a new foreign key is looked at, and who changes them later must know of it. */
static void use_referenced(const Uses *u, const TableDesc *table)
{
    for (int i = 0; i < table->foreign_keys.count; i++) {
        DescId referenced = table->foreign_keys.items[i].referenced_table;
        if (referenced && referenced != table->base.id) use(u, referenced, TABLE_SHARE_ROW_EXCLUSIVE);
    }
}

static bool changes_foreign_keys(const UtilityAlterTable *alter)
{
    for (int i = 0; i < alter->after->foreign_keys.count; i++) {
        bool is_new = true;
        for (int j = 0; j < alter->before->foreign_keys.count; j++)
            is_new = is_new && alter->after->foreign_keys.items[i].id != alter->before->foreign_keys.items[j].id;
        if (is_new) return true;
    }
    for (int i = 0; i < alter->steps.count; i++)
        if (alter->steps.items[i].kind == ALTER_STEP_VALIDATE_FOREIGN_KEY) return true;
    return false;
}

static void use_altered(const Uses *u, const UtilityAlterTable *alter)
{
    use(u, alter->before->base.id, alter_mode(alter));
    if (changes_foreign_keys(alter)) use_referenced(u, alter->after);
}

void ddl_table_uses(const PlanUtility *utility, TableUseVec *list, Arena *arena)
{
    Uses u = {list, arena};
    if (utility->utility == UTILITY_ALTER_TABLE) {
        for (const UtilityAlterTable *a = (const UtilityAlterTable *)utility; a; a = a->next) use_altered(&u, a);
    } else if (utility->utility == UTILITY_CREATE_TABLE) {
        use_referenced(&u, ((const UtilityCreateTable *)utility)->draft);
    } else if (utility->utility == UTILITY_DROP) {
        use_dropped(&u, (const UtilityDrop *)utility);
    } else if (utility->utility == UTILITY_CREATE_TABLE_AS) {
        const UtilityCreateTableAs *as = (const UtilityCreateTableAs *)utility;
        if (as->refreshed) use(&u, as->refreshed->base.id, as->concurrently ? TABLE_EXCLUSIVE : TABLE_ACCESS_EXCLUSIVE);
    } else if (utility->utility == UTILITY_TRUNCATE) {
        const UtilityTruncate *truncate = (const UtilityTruncate *)utility;
        for (int i = 0; i < truncate->tables.count; i++) use(&u, truncate->tables.items[i]->base.id, TABLE_ACCESS_EXCLUSIVE);
    } else if (utility->utility == UTILITY_COMMENT || utility->utility == UTILITY_GRANT ||
               utility->utility == UTILITY_ALTER_OTHER) {
        const UtilityChange *change = (const UtilityChange *)utility;
        bool gentle = utility->utility != UTILITY_ALTER_OTHER; /* readers and writers may go on */
        TableLockMode mode = gentle ? TABLE_SHARE_UPDATE_EXCLUSIVE : TABLE_ACCESS_EXCLUSIVE;
        for (int i = 0; i < change->changes.count; i++) use_changed(&u, change->changes.items[i].before, mode);
    } else if (utility->utility == UTILITY_ANALYZE) {
        const UtilityAnalyze *analyze = (const UtilityAnalyze *)utility;
        for (int i = 0; i < analyze->targets.count; i++)
            use(&u, analyze->targets.items[i].table->base.id, TABLE_SHARE_UPDATE_EXCLUSIVE);
    } else if (utility->utility == UTILITY_LOCK_TABLE) {
        const UtilityLockTable *lock = (const UtilityLockTable *)utility;
        for (int i = 0; i < lock->tables.count; i++) use(&u, lock->tables.items[i]->base.id, lock->mode);
    }
}
