/* build_show.c - the forms of SHOW. */
#include "parser/build.h"

AstStmt *build_show(Parser *p, const Token *first, const AstShow *show)
{
    AstShow *stmt = NEW_STMT(p, AstShow, AST_SHOW, first);
    AstStmt base = stmt->base;
    *stmt = *show;
    stmt->base = base;
    return &stmt->base;
}

AstShow *build_show_kind(Parser *p, AstShowKind kind, const AstName *name)
{
    AstShow *show = ARENA_NEW(p->arena, AstShow);
    show->show = kind;
    if (name) show->name = *name;
    return show;
}

AstShow *build_show_setting(Parser *p, const char *setting)
{
    AstShow *show = build_show_kind(p, AST_SHOW_SETTING, NULL);
    show->setting = setting;
    return show;
}

AstShow *build_show_cluster_setting(Parser *p, const char *setting)
{
    AstShow *show = build_show_kind(p, AST_SHOW_CLUSTER_SETTING, NULL);
    show->setting = setting;
    return show;
}

AstShow *build_show_comment(AstShow *show, bool with_comment)
{
    show->with_comment = with_comment;
    return show;
}

AstShow *build_show_on_database(AstShow *show)
{
    show->on_database = true;
    return show;
}

/* SHOW TABLES FROM x: whether x is a database or a schema, the binder finds out; FROM d.s names both. */
AstShow *build_show_tables(Parser *p, const AstName *name)
{
    AstShow *show = build_show_kind(p, AST_SHOW_TABLES, NULL);
    show->name.position = name->position;
    show->name.database = name->schema;
    show->name.schema = name->name;
    if (name->database) build_fail(p, ERR_SYNTAX_ERROR, name->position, "improper qualified name (too many dotted names)");
    return show;
}

AstShow *build_show_object(Parser *p, AstShowKind kind, AstObject object, const AstName *name)
{
    AstShow *show = build_show_kind(p, kind, name);
    show->object = object;
    return show;
}

AstShow *build_show_index(Parser *p, AstShowKind kind, const AstIndexName *index)
{
    AstShow *show = build_show_object(p, kind, AST_OBJECT_INDEX, &index->table);
    show->index = *index;
    return show;
}

AstShow *build_show_grants(Parser *p, AstObject object, const AstName *name, const char *role)
{
    AstShow *show = build_show_object(p, AST_SHOW_GRANTS, object, name);
    show->member = role;
    return show;
}

AstOption build_show_option(Parser *p, const Token *word)
{
    static const char *const known[] = {"tables", "indexes", "keys", "details", "explain", "zone"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(word->value, known[i]) == 0) return build_option(p, word, NULL);
    parser_syntax_error(p, word);
    return build_option(p, word, NULL);
}

AstShow *build_show_ranges(Parser *p, AstObject object, const AstIndexName *index, const AstOptionVec *options)
{
    AstShow *show = build_show_object(p, AST_SHOW_RANGES, object, index ? &index->table : NULL);
    if (index) show->index = *index;
    show->options = *options;
    for (int i = 0; i < options->count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(options->items[i].name, options->items[k].name) == 0)
                build_fail(p, ERR_SYNTAX_ERROR, options->items[i].position, "conflicting or redundant options");
    if (ast_option(options, "tables") && ast_option(options, "indexes"))
        build_fail(p, ERR_SYNTAX_ERROR, options->items[0].position, "conflicting or redundant options");
    return show;
}

AstShow *build_show_range(Parser *p, AstObject object, const AstIndexName *index, const AstExprVec *row)
{
    AstShow *show = build_show_object(p, AST_SHOW_RANGE_FOR_ROW, object, &index->table);
    show->index = *index;
    show->row = *row;
    return show;
}
