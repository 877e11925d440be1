/* build_ddl.c - tables: columns, constraints, CREATE TABLE. Indexes are in build_index.c, ALTER TABLE in build_alter.c. */
#include "parser/build.h"

/* ---- columns ---- */

AstColumnDef *build_column_options(Parser *p)
{
    return ARENA_NEW(p->arena, AstColumnDef);
}

AstColumnDef *build_column_definition(Parser *p, const Token *name, AstType *type, AstColumnDef *column)
{
    (void)p;
    column->position = name->position;
    column->name = name->value;
    column->type = type;
    return column;
}

void build_column_constraint(Parser *p, AstColumnDef *column, const Token *name, AstConstraint *constraint)
{
    if (name) constraint->name = name->value;
    VEC_PUSH(p->arena, column->constraints, constraint);
}

/* INITIALLY DEFERRED alone makes a constraint deferrable; the binder knows. */
static void take_attribute(Parser *p, AstConstraint *constraint, const AstConstraint *attribute)
{
    constraint->deferrable |= attribute->deferrable;
    constraint->not_deferrable |= attribute->not_deferrable;
    constraint->initially_deferred |= attribute->initially_deferred;
    constraint->initially_immediate |= attribute->initially_immediate;
    if (constraint->not_deferrable && constraint->initially_deferred)
        build_fail(p, ERR_SYNTAX_ERROR, attribute->position, "constraint declared INITIALLY DEFERRED must be DEFERRABLE");
}

/* DEFERRABLE and its like belong to the constraint before them. */
void build_column_attribute(Parser *p, AstColumnDef *column, const AstConstraint *attribute)
{
    AstConstraint *last = column->constraints.count > 0 ? VEC_LAST(column->constraints) : NULL;
    if (!last || (last->kind != AST_CONSTRAINT_PRIMARY_KEY && last->kind != AST_CONSTRAINT_UNIQUE &&
                  last->kind != AST_CONSTRAINT_FOREIGN_KEY && last->kind != AST_CONSTRAINT_EXCLUDE)) {
        const char *word = attribute->initially_deferred ? "INITIALLY DEFERRED"
                           : attribute->deferrable       ? "DEFERRABLE"
                           : attribute->not_deferrable   ? "NOT DEFERRABLE"
                                                         : "INITIALLY IMMEDIATE";
        build_fail(p, ERR_SYNTAX_ERROR, attribute->position, "misplaced %s clause", word);
        return;
    }
    bool initially_said = last->initially_deferred || last->initially_immediate;
    if ((attribute->deferrable || attribute->not_deferrable) && (last->deferrable || last->not_deferrable))
        build_fail(p, ERR_SYNTAX_ERROR, attribute->position, "multiple DEFERRABLE/NOT DEFERRABLE clauses not allowed");
    if ((attribute->initially_deferred || attribute->initially_immediate) && initially_said)
        build_fail(p, ERR_SYNTAX_ERROR, attribute->position, "multiple INITIALLY IMMEDIATE/DEFERRED clauses not allowed");
    take_attribute(p, last, attribute);
}

void build_column_family(AstColumnDef *column, const Token *family, bool create, bool if_not_exists)
{
    column->family = family ? family->value : "";
    column->create_family = create;
    column->family_if_not_exists = if_not_exists;
}

/* ---- constraints ---- */

AstConstraint *build_constraint(Parser *p, const Token *at, AstConstraintKind kind, AstExpr *expr)
{
    AstConstraint *constraint = ARENA_NEW(p->arena, AstConstraint);
    constraint->kind = kind;
    constraint->position = at->position;
    constraint->expr = expr;
    return constraint;
}

AstConstraint *build_exclude(Parser *p, const Token *at)
{
    build_refuse(p, at->position, "EXCLUDE constraint");
    return build_constraint(p, at, AST_CONSTRAINT_EXCLUDE, NULL);
}

AstConstraint *build_check(Parser *p, const Token *at, AstExpr *expr, bool no_inherit)
{
    AstConstraint *constraint = build_constraint(p, at, AST_CONSTRAINT_CHECK, expr);
    constraint->no_inherit = no_inherit;
    return constraint;
}

AstConstraint *build_generated(Parser *p, const Token *at, AstExpr *expr, bool stored)
{
    AstConstraint *constraint = build_constraint(p, at, AST_CONSTRAINT_GENERATED, expr);
    constraint->stored = stored;
    return constraint;
}

AstConstraint *build_identity(Parser *p, const Token *at, bool always, const AstOptionVec *options)
{
    AstConstraint *constraint = build_constraint(p, at, AST_CONSTRAINT_IDENTITY, NULL);
    constraint->always = always;
    constraint->sequence_options = *options;
    return constraint;
}

AstConstraint *build_key_constraint(Parser *p, const Token *at, AstConstraintKind kind, const AstIndexElemVec *key,
                                    bool nulls_not_distinct, const AstIndexDef *tail)
{
    AstConstraint *constraint = build_constraint(p, at, kind, NULL);
    if (key) constraint->key = *key;
    constraint->nulls_not_distinct = nulls_not_distinct;
    constraint->hash = tail->hash;
    constraint->including = tail->including;
    constraint->options = tail->options;
    constraint->tablespace = tail->tablespace;
    constraint->split = tail->split;
    constraint->partition = tail->partition;
    return constraint;
}

AstConstraint *build_without_index(AstConstraint *constraint)
{
    constraint->without_index = true;
    return constraint;
}

AstConstraint *build_using_index(Parser *p, const Token *at, AstConstraintKind kind, const Token *index)
{
    AstConstraint *constraint = build_constraint(p, at, kind, NULL);
    constraint->using_index = index->value;
    return constraint;
}

AstConstraint *build_named_constraint(const Token *name, AstConstraint *constraint)
{
    constraint->name = name->value;
    return constraint;
}

AstConstraint *build_references_tail(Parser *p)
{
    return ARENA_NEW(p->arena, AstConstraint);
}

AstConstraint *build_references(Parser *p, const Token *at, const AstName *table, const StrVec *columns, AstConstraint *tail)
{
    tail->kind = AST_CONSTRAINT_FOREIGN_KEY;
    tail->position = at->position;
    tail->referenced = *table;
    tail->referenced_columns = *columns;
    if (tail->match_partial) build_fail(p, ERR_FEATURE_NOT_SUPPORTED, 0, "MATCH PARTIAL not yet implemented");
    return tail;
}

AstConstraint *build_foreign_key(const StrVec *columns, AstConstraint *constraint)
{
    constraint->columns = *columns;
    return constraint;
}

void build_delete_columns(AstConstraint *constraint, AstFkAction action, const StrVec *columns)
{
    constraint->on_delete = action;
    constraint->on_delete_columns = *columns;
}

/* An attribute is an AstConstraint of which only the attribute's field is set. */
AstConstraint *build_deferrable(Parser *p, const Token *at, bool deferrable)
{
    AstConstraint *attribute = ARENA_NEW(p->arena, AstConstraint);
    attribute->position = at->position;
    attribute->deferrable = deferrable;
    attribute->not_deferrable = !deferrable;
    return attribute;
}

AstConstraint *build_initially(Parser *p, const Token *at, bool deferred)
{
    AstConstraint *attribute = ARENA_NEW(p->arena, AstConstraint);
    attribute->position = at->position;
    attribute->initially_deferred = deferred;
    attribute->initially_immediate = !deferred;
    return attribute;
}

AstConstraint *build_not_valid(Parser *p)
{
    AstConstraint *attribute = ARENA_NEW(p->arena, AstConstraint);
    attribute->not_valid = true;
    return attribute;
}

AstConstraint *build_no_inherit(Parser *p)
{
    AstConstraint *attribute = ARENA_NEW(p->arena, AstConstraint);
    attribute->no_inherit = true;
    return attribute;
}

AstConstraint *build_merge_attributes(Parser *p, AstConstraint *all, AstConstraint *attribute)
{
    if (!all) return attribute;
    if ((all->deferrable && attribute->not_deferrable) || (all->not_deferrable && attribute->deferrable) ||
        (all->initially_deferred && attribute->initially_immediate) || (all->initially_immediate && attribute->initially_deferred))
        build_fail(p, ERR_SYNTAX_ERROR, attribute->position, "conflicting constraint properties");
    take_attribute(p, all, attribute);
    all->not_valid |= attribute->not_valid;
    all->no_inherit |= attribute->no_inherit;
    return all;
}

AstConstraint *build_with_attributes(Parser *p, AstConstraint *constraint, const AstConstraint *attributes)
{
    if (!attributes) return constraint;
    bool is_check = constraint->kind == AST_CONSTRAINT_CHECK;
    const char *word = is_check                                          ? "CHECK"
                       : constraint->kind == AST_CONSTRAINT_UNIQUE      ? "UNIQUE"
                       : constraint->kind == AST_CONSTRAINT_FOREIGN_KEY ? "FOREIGN KEY"
                                                                        : "PRIMARY KEY";
    if (is_check && (attributes->deferrable || attributes->initially_deferred))
        build_fail(p, ERR_FEATURE_NOT_SUPPORTED, 0, "%s constraints cannot be marked DEFERRABLE", word);
    if (attributes->not_valid && !is_check && constraint->kind != AST_CONSTRAINT_FOREIGN_KEY)
        build_fail(p, ERR_FEATURE_NOT_SUPPORTED, 0, "%s constraints cannot be marked NOT VALID", word);
    if (attributes->no_inherit && !is_check)
        build_fail(p, ERR_FEATURE_NOT_SUPPORTED, 0, "%s constraints cannot be marked NO INHERIT", word);
    constraint->deferrable = attributes->deferrable;
    constraint->not_deferrable = attributes->not_deferrable;
    constraint->initially_deferred = attributes->initially_deferred;
    constraint->not_valid = attributes->not_valid;
    constraint->no_inherit |= attributes->no_inherit;
    return constraint;
}

/* ---- CREATE TABLE ---- */

AstCreateTable *build_table_tail(Parser *p)
{
    return ARENA_NEW(p->arena, AstCreateTable);
}

AstCreateTable *build_table_elems(AstCreateTable *table, const AstTableElemVec *elems)
{
    table->elems = *elems;
    return table;
}

AstCreateTable *build_table_partition_of(AstCreateTable *table, const AstName *parent, const AstPartitionBound *bound)
{
    table->partition_of = *parent;
    table->bound = *bound;
    return table;
}

AstCreateTable *build_table_of_type(AstCreateTable *table, const AstName *type)
{
    table->of_type = *type;
    return table;
}

void build_table_partition(Parser *p, AstCreateTable *table, const AstPartitionBy *partition)
{
    if (table->partition.by != AST_PARTITION_NONE)
        build_fail(p, ERR_SYNTAX_ERROR, partition->position, "syntax error at or near \"PARTITION\"");
    table->partition = *partition;
}

void build_table_split(Parser *p, AstCreateTable *table, const AstSplit *split)
{
    if (table->split.present) build_fail(p, ERR_SYNTAX_ERROR, split->position, "syntax error at or near \"SPLIT\"");
    table->split = *split;
}

const char *build_text_since(Parser *p, const Token *first)
{
    return arena_strndup(p->arena, first->text, (size_t)(p->previous_end - first->text));
}

AstStmt *build_create_table(Parser *p, const Token *first, AstPersistence persistence, bool if_not_exists, const AstName *name,
                            AstCreateTable *table)
{
    AstCreateTable *stmt = NEW_STMT(p, AstCreateTable, AST_CREATE_TABLE, first);
    AstStmt base = stmt->base;
    *stmt = *table;
    stmt->base = base;
    stmt->persistence = persistence;
    stmt->if_not_exists = if_not_exists;
    stmt->name = *name;
    return &stmt->base;
}

AstTableLike *build_like_options(Parser *p)
{
    return ARENA_NEW(p->arena, AstTableLike);
}

void build_like_option(Parser *p, AstTableLike *like, const Token *word, bool excluding)
{
    static const char *const known[] = {"all",      "comments", "compression", "constraints", "defaults",
                                        "identity", "indexes",  "statistics",  "storage",     "generated"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(word->value, known[i]) != 0) continue;
        VEC_PUSH(p->arena, like->options, ((AstLikeOption){word->value, excluding}));
        return;
    }
    parser_syntax_error(p, word);
}

AstTableLike *build_table_like(Parser *p, const Token *at, const AstName *table, AstTableLike *like)
{
    (void)p;
    like->position = at->position;
    like->table = *table;
    return like;
}

AstFamilyDef *build_family(Parser *p, const Token *at, const Token *name, const StrVec *columns)
{
    AstFamilyDef *family = ARENA_NEW(p->arena, AstFamilyDef);
    family->position = at->position;
    family->name = name ? name->value : NULL;
    family->columns = *columns;
    return family;
}

/* ---- CREATE TABLE AS ---- */

AstCreateTableAs *build_as_tail(Parser *p)
{
    return ARENA_NEW(p->arena, AstCreateTableAs);
}

AstCreateTableAs *build_as_columns(AstCreateTableAs *tail, const StrVec *columns)
{
    tail->columns = *columns;
    return tail;
}

CreateAsFlags build_as_flags(AstPersistence persistence, bool if_not_exists, bool with_data)
{
    return (CreateAsFlags){persistence, if_not_exists, !with_data};
}

AstStmt *build_create_table_as(Parser *p, const Token *first, const AstName *name, const AstCreateTableAs *tail, AstStmt *query,
                               CreateAsFlags flags)
{
    AstCreateTableAs *stmt = NEW_STMT(p, AstCreateTableAs, AST_CREATE_TABLE_AS, first);
    AstStmt base = stmt->base;
    *stmt = *tail;
    stmt->base = base;
    stmt->persistence = flags.persistence;
    stmt->if_not_exists = flags.if_not_exists;
    stmt->no_data = flags.no_data;
    stmt->name = *name;
    stmt->query = query;
    return &stmt->base;
}

AstStmt *build_materialized(AstStmt *stmt)
{
    ((AstCreateTableAs *)stmt)->materialized_view = true;
    return stmt;
}
