/* build_keyspace.c - split points, partitions, SPLIT AT, SCATTER, RELOCATE, zones. */
#include "parser/build.h"

/* MINVALUE and MAXVALUE are no reserved words: as bounds, columns of that name are meant to be them. In place. */
AstExprVec *build_bounds(AstExprVec *items)
{
    for (int i = 0; i < items->count; i++) {
        AstExpr *item = items->items[i];
        const AstColumn *column = (const AstColumn *)item;
        if (item->kind == AST_ROW) {
            build_bounds(&((AstRow *)item)->items);
        } else if (item->kind == AST_COLUMN && column->names.count == 1 && !column->star) {
            if (strcmp(column->names.items[0], "minvalue") == 0) item->kind = AST_MINVALUE;
            if (strcmp(column->names.items[0], "maxvalue") == 0) item->kind = AST_MAXVALUE;
        }
    }
    return items;
}

/* ---- PARTITION BY ---- */

AstPartitionBy build_partition_by(const Token *at, AstPartitionBy spec, bool all)
{
    spec.position = at->position;
    spec.all = all;
    return spec;
}

AstPartitionBy build_partitions(AstPartitionKind kind, const AstIndexElemVec *keys, const AstPartitionVec *partitions)
{
    return (AstPartitionBy){.by = kind, .keys = *keys, .has_partitions = true, .partitions = *partitions};
}

static AstPartition *new_partition(Parser *p, const Token *name, const AstPartitionBy *sub)
{
    AstPartition *partition = ARENA_NEW(p->arena, AstPartition);
    partition->position = name->position;
    partition->name = name->value;
    partition->sub = *sub;
    return partition;
}

AstPartition *build_list_partition(Parser *p, const Token *name, AstExprVec *values, const AstPartitionBy *sub)
{
    AstPartition *partition = new_partition(p, name, sub);
    build_bounds(values);
    for (int i = 0; i < values->count; i++) {
        AstExprVec row = {0};
        if (values->items[i]->kind == AST_ROW)
            row = ((AstRow *)values->items[i])->items;
        else
            VEC_PUSH(p->arena, row, values->items[i]);
        VEC_PUSH(p->arena, partition->values, row);
    }
    return partition;
}

AstPartition *build_range_partition(Parser *p, const Token *name, AstExprVec *from, AstExprVec *to, const AstPartitionBy *sub)
{
    AstPartition *partition = new_partition(p, name, sub);
    partition->is_range = true;
    partition->from = *build_bounds(from);
    partition->to = *build_bounds(to);
    return partition;
}

/* ---- statements ---- */

KeySpaceTarget build_table_target(const AstName *table)
{
    return (KeySpaceTarget){.name = {.position = table->position, .table = *table}};
}

KeySpaceTarget build_index_target_name(const AstIndexName *index)
{
    return (KeySpaceTarget){.of_index = true, .name = *index};
}

static AstStmt *split_stmt(Parser *p, AstStmtKind kind, const Token *first, const KeySpaceTarget *target, AstSelect *rows)
{
    AstSplitAt *stmt = NEW_STMT(p, AstSplitAt, kind, first);
    stmt->of_index = target->of_index;
    stmt->target = target->name;
    stmt->rows = rows;
    return &stmt->base;
}

AstStmt *build_split_at(Parser *p, const Token *first, const KeySpaceTarget *target, AstSelect *rows, AstExpr *expiration)
{
    AstStmt *stmt = split_stmt(p, AST_SPLIT_AT, first, target, rows);
    ((AstSplitAt *)stmt)->expiration = expiration;
    return stmt;
}

AstStmt *build_unsplit_at(Parser *p, const Token *first, const KeySpaceTarget *target, AstSelect *rows)
{
    return split_stmt(p, AST_UNSPLIT_AT, first, target, rows);
}

AstStmt *build_scatter(Parser *p, const Token *first, const KeySpaceTarget *target, const AstExprVec *from, const AstExprVec *to)
{
    AstScatter *stmt = NEW_STMT(p, AstScatter, AST_SCATTER, first);
    stmt->of_index = target->of_index;
    stmt->target = target->name;
    stmt->bounded = from != NULL;
    if (from) stmt->from = *from;
    if (to) stmt->to = *to;
    return &stmt->base;
}

AstStmt *build_relocate(Parser *p, const Token *first, const KeySpaceTarget *target, AstRelocateKind what, AstSelect *rows)
{
    AstRelocate *stmt = NEW_STMT(p, AstRelocate, AST_RELOCATE, first);
    stmt->object = target->of_index ? AST_OBJECT_INDEX : AST_OBJECT_TABLE;
    stmt->target = target->name;
    stmt->what = what;
    stmt->rows = rows;
    return &stmt->base;
}

AstStmt *build_relocate_range(Parser *p, const Token *first, AstExpr *range_id, AstRelocateKind what, AstExpr *from, AstExpr *to)
{
    AstRelocate *stmt = NEW_STMT(p, AstRelocate, AST_RELOCATE, first);
    stmt->object = AST_OBJECT_OTHER;
    stmt->what = what;
    stmt->range_id = range_id;
    stmt->from = from;
    stmt->to = to;
    return &stmt->base;
}

AstStmt *build_relocate_for(Parser *p, const Token *first, AstRelocateKind what, AstExpr *from, AstExpr *to, AstSelect *rows)
{
    AstStmt *stmt = build_relocate_range(p, first, NULL, what, from, to);
    ((AstRelocate *)stmt)->rows = rows;
    return stmt;
}

AstConfigureZone *build_zone_change(Parser *p, const AstOptionVec *options)
{
    AstConfigureZone *zone = ARENA_NEW(p->arena, AstConfigureZone);
    zone->discard = !options;
    if (options) zone->options = *options;
    return zone;
}

AstStmt *build_configure_zone(Parser *p, const Token *first, const KeySpaceTarget *target, const AstConfigureZone *change)
{
    AstConfigureZone *stmt = NEW_STMT(p, AstConfigureZone, AST_CONFIGURE_ZONE, first);
    stmt->object = target->of_index ? AST_OBJECT_INDEX : AST_OBJECT_TABLE;
    stmt->target = target->name;
    stmt->discard = change->discard;
    stmt->options = change->options;
    return &stmt->base;
}

AstStmt *build_configure_named(Parser *p, const Token *first, AstObject object, const AstName *name, const AstConfigureZone *change)
{
    KeySpaceTarget target = build_table_target(name);
    AstStmt *stmt = build_configure_zone(p, first, &target, change);
    ((AstConfigureZone *)stmt)->object = object;
    return stmt;
}

/* ---- FORECAST ---- */

AstStmt *build_forecast(Parser *p, const Token *first, AstStmt *table, AstSelect *query, const AstOptionVec *options)
{
    AstForecast *stmt = NEW_STMT(p, AstForecast, AST_FORECAST, first);
    stmt->table = table;
    stmt->query = build_top_select(p, query);
    stmt->options = *options;
    return &stmt->base;
}
