/* build_alter.c - ALTER TABLE, INDEX, VIEW: one AstAlterAction a clause. */
#include "parser/build.h"

AstStmt *build_alter_table(Parser *p, const Token *first, AstObject object, bool if_exists, const RelationName *name,
                           const AstAlterActionVec *actions)
{
    AstAlterTable *stmt = NEW_STMT(p, AstAlterTable, AST_ALTER_TABLE, first);
    stmt->object = object;
    stmt->if_exists = if_exists;
    stmt->only = name->only;
    stmt->name = name->name;
    stmt->actions = *actions;
    return &stmt->base;
}

AstStmt *build_alter_domain(Parser *p, const Token *first, const AstName *name, AstAlterAction *action)
{
    AstAlterActionVec actions = {0};
    VEC_PUSH(p->arena, actions, action);
    return build_alter_table(p, first, AST_OBJECT_DOMAIN, false, &(RelationName){*name, false}, &actions);
}

AstStmt *build_alter_index(Parser *p, const Token *first, bool if_exists, const AstIndexName *index, const AstAlterActionVec *actions)
{
    AstAlterTable *stmt = NEW_STMT(p, AstAlterTable, AST_ALTER_TABLE, first);
    stmt->object = AST_OBJECT_INDEX;
    stmt->if_exists = if_exists;
    stmt->index = *index;
    stmt->actions = *actions;
    return &stmt->base;
}

static AstAlterAction *new_action(Parser *p, AstAlterKind kind, int position)
{
    AstAlterAction *action = ARENA_NEW(p->arena, AstAlterAction);
    action->kind = kind;
    action->position = position;
    return action;
}

AstAlterAction *build_add_column(Parser *p, const Token *at, bool if_not_exists, AstColumnDef *column)
{
    AstAlterAction *action = new_action(p, AST_ALTER_ADD_COLUMN, at->position);
    action->if_not_exists = if_not_exists;
    action->name = column->name;
    action->column = column;
    return action;
}

AstAlterAction *build_add_constraint(Parser *p, const Token *at, bool if_not_exists, AstConstraint *constraint)
{
    AstAlterAction *action = new_action(p, AST_ALTER_ADD_CONSTRAINT, at->position);
    action->if_not_exists = if_not_exists;
    action->constraint = constraint;
    return action;
}

AstAlterAction *build_add_family(Parser *p, const Token *at, AstFamilyDef *family)
{
    AstAlterAction *action = new_action(p, AST_ALTER_ADD_FAMILY, at->position);
    action->family = family;
    return action;
}

AstAlterAction *build_drop_member(Parser *p, const Token *at, AstAlterKind kind, bool if_exists, const Token *name, AstDropBehavior behavior)
{
    AstAlterAction *action = new_action(p, kind, at->position);
    action->if_exists = if_exists;
    action->name = name->value;
    action->behavior = behavior;
    return action;
}

AstAlterAction *build_alter_name(Parser *p, const Token *at, AstAlterKind kind, const Token *name, const Token *new_name)
{
    AstAlterAction *action = new_action(p, kind, at->position);
    action->name = name ? name->value : NULL;
    action->new_name = new_name ? new_name->value : NULL;
    action->visible = kind == AST_ALTER_ROW_SECURITY && name && strcmp(name->value, "enable") == 0;
    return action;
}

AstAlterAction *build_alter_constraint(Parser *p, const Token *at, const Token *name, AstConstraint *attributes)
{
    AstAlterAction *action = new_action(p, AST_ALTER_ALTER_CONSTRAINT, at->position);
    action->name = name->value;
    action->constraint = attributes ? attributes : ARENA_NEW(p->arena, AstConstraint);
    if (action->constraint->not_valid)
        build_fail(p, ERR_FEATURE_NOT_SUPPORTED, 0, "FOREIGN KEY constraints cannot be marked NOT VALID");
    return action;
}

AstAlterAction *build_alter_primary_key(Parser *p, const Token *at, const AstIndexElemVec *key, const AstIndexDef *tail)
{
    AstAlterAction *action = new_action(p, AST_ALTER_PRIMARY_KEY, at->position);
    action->constraint = build_key_constraint(p, at, AST_CONSTRAINT_PRIMARY_KEY, key, false, tail);
    return action;
}

AstAlterAction *build_alter_partition(Parser *p, const AstPartitionBy *partition)
{
    AstAlterAction *action = new_action(p, AST_ALTER_PARTITION_BY, partition->position);
    action->partition = *partition;
    return action;
}

AstAlterAction *build_attach(Parser *p, const Token *at, AstAlterKind kind, const AstName *table, const AstPartitionBound *bound)
{
    AstAlterAction *action = new_action(p, kind, at->position);
    action->table = *table;
    if (bound) action->bound = *bound;
    return action;
}

AstAlterAction *build_alter_options(Parser *p, const Token *at, AstAlterKind kind, const AstOptionVec *options)
{
    AstAlterAction *action = new_action(p, kind, at->position);
    action->options = *options;
    return action;
}

AstAlterAction *build_index_visible(Parser *p, bool visible)
{
    AstAlterAction *action = new_action(p, AST_ALTER_INDEX_VISIBLE, 0);
    action->visible = visible;
    return action;
}

/* ---- ALTER COLUMN ---- */

AstAlterAction *build_alter_column(const Token *at, const Token *name, AstAlterAction *action)
{
    action->position = at->position;
    action->name = name->value;
    if (action->column) {
        action->column->name = name->value;
        action->column->position = name->position;
    }
    return action;
}

AstAlterAction *build_column_type(Parser *p, AstType *type, const AstName *collation, AstExpr *using_)
{
    AstAlterAction *action = new_action(p, AST_ALTER_COLUMN_TYPE, 0);
    action->column = ARENA_NEW(p->arena, AstColumnDef);
    action->column->type = type;
    action->column->collation = *collation;
    action->expr = using_;
    return action;
}

AstAlterAction *build_column_change(Parser *p, AstAlterKind kind, AstExpr *expr)
{
    AstAlterAction *action = new_action(p, kind, 0);
    action->expr = expr;
    return action;
}

AstAlterAction *build_column_drop(Parser *p, AstAlterKind kind, bool if_exists)
{
    AstAlterAction *action = new_action(p, kind, 0);
    action->if_exists = if_exists;
    return action;
}

/* ADD GENERATED ... AS IDENTITY: no other constraint can be added so. */
AstAlterAction *build_column_add_identity(Parser *p, AstConstraint *constraint)
{
    AstAlterAction *action = new_action(p, AST_ALTER_COLUMN_ADD_IDENTITY, constraint->position);
    if (constraint->kind != AST_CONSTRAINT_IDENTITY)
        build_fail(p, ERR_SYNTAX_ERROR, constraint->position, "only GENERATED AS IDENTITY can be added to a column");
    action->constraint = constraint;
    return action;
}

AstAlterAction *build_column_options_change(Parser *p, AstAlterKind kind, const AstOptionVec *options)
{
    AstAlterAction *action = new_action(p, kind, 0);
    action->options = *options;
    return action;
}

AstAlterAction *build_column_word(Parser *p, AstAlterKind kind, const Token *word)
{
    AstAlterAction *action = new_action(p, kind, 0);
    action->new_name = word->value;
    return action;
}

AstAlterAction *build_column_visible(Parser *p, bool visible)
{
    AstAlterAction *action = new_action(p, AST_ALTER_COLUMN_VISIBLE, 0);
    action->visible = visible;
    return action;
}
