/* build_keyspace.h - builders of splits, partitions, zones; each is described in its source. Only included by build.h, which has their contract. */
#ifndef PARSER_BUILD_KEYSPACE_H
#define PARSER_BUILD_KEYSPACE_H

#include "parser/build.h"

/* build_keyspace.c */
AstExprVec *build_bounds(AstExprVec *items);
AstPartitionBy build_partition_by(const Token *at, AstPartitionBy spec, bool all);
AstPartitionBy build_partitions(AstPartitionKind kind, const AstIndexElemVec *keys, const AstPartitionVec *partitions);
AstPartition *build_list_partition(Parser *p, const Token *name, AstExprVec *values, const AstPartitionBy *sub);
AstPartition *build_range_partition(Parser *p, const Token *name, AstExprVec *from, AstExprVec *to,
    const AstPartitionBy *sub);
KeySpaceTarget build_table_target(const AstName *table);
KeySpaceTarget build_index_target_name(const AstIndexName *index);
AstStmt *build_split_at(Parser *p, const Token *first, const KeySpaceTarget *target, AstSelect *rows,
    AstExpr *expiration);
AstStmt *build_unsplit_at(Parser *p, const Token *first, const KeySpaceTarget *target, AstSelect *rows);
AstStmt *build_scatter(Parser *p, const Token *first, const KeySpaceTarget *target, const AstExprVec *from,
    const AstExprVec *to);
AstStmt *build_relocate(Parser *p, const Token *first, const KeySpaceTarget *target, AstRelocateKind what,
    AstSelect *rows);
AstStmt *build_relocate_range(Parser *p, const Token *first, AstExpr *range_id, AstRelocateKind what, AstExpr *from,
    AstExpr *to);
AstStmt *build_relocate_for(Parser *p, const Token *first, AstRelocateKind what, AstExpr *from, AstExpr *to,
    AstSelect *rows);
AstStmt *build_forecast(Parser *p, const Token *first, AstStmt *table, AstSelect *query, const AstOptionVec *options);
AstConfigureZone *build_zone_change(Parser *p, const AstOptionVec *options);
AstStmt *build_configure_zone(Parser *p, const Token *first, const KeySpaceTarget *target,
    const AstConfigureZone *change);
AstStmt *build_configure_named(Parser *p, const Token *first, AstObject object, const AstName *name,
    const AstConfigureZone *change);

#endif
