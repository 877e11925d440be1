/* bind_literal.c - literals of the text to constants. */
#include "parser/parse.h"
#include "planner/bind/bind_types.h"

#include <errno.h>
#include <stdlib.h>

Status bind_number(Binder *binder, const AstLiteral *literal, Expr **out)
{
    Oid oid = OID_NUMERIC;
    Value value = VALUE_NULL;
    if (literal->literal == AST_LITERAL_INT) {
        char *end;
        errno = 0;
        long long number = strtoll(literal->text, &end, 10);
        if (errno == 0 && *end == '\0') {
            oid = number >= INT32_MIN && number <= INT32_MAX ? OID_INT4 : OID_INT8;
            value = value_int(number);
        }
    }
    if (oid == OID_NUMERIC) {
        const TypeDef *type = type_find(oid);
        if (type->in(type, &binder->types, slice_str(literal->text), -1, &value) != ST_OK)
            return err_at(binder->err, literal->base.position);
    }
    *out = expr_const(binder->arena, (TypeRef){oid, -1}, value);
    (*out)->position = literal->base.position;
    return ST_OK;
}

/* ---- names of the catalog as values ---- */

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

/* A dotted name, parts quoted or not; 42602 for what is none. */
static Status parse_name(Binder *binder, const char *text, AstName *name)
{
    AstExpr *expr;
    Error ignored = {0};
    if (parse_expr_text(text, &expr, binder->arena, &ignored) != ST_OK || expr->kind != AST_COLUMN ||
        ((AstColumn *)expr)->star || ((AstColumn *)expr)->names.count > 3) {
        /* A reserved word is a name too where nothing else can stand. */
        if (!strpbrk(text, " .\"()+-*/'")) {
            *name = (AstName){.name = text};
            return ST_OK;
        }
        return err_set(binder->err, binder->arena, ERR_INVALID_NAME, "invalid name syntax");
    }
    const StrVec *parts = &((AstColumn *)expr)->names;
    name->position = 0;
    name->name = VEC_LAST(*parts);
    name->schema = parts->count > 1 ? parts->items[parts->count - 2] : NULL;
    name->database = parts->count > 2 ? parts->items[0] : NULL;
    return ST_OK;
}

static Status class_literal(Binder *binder, const char *text, Value *value)
{
    AstName name = {0};
    BoundName found;
    TRY(parse_name(binder, text, &name));
    TRY(bind_find_relation(binder, &name, false, &found));
    if (found.desc || found.system) {
        *value = value_int(found.desc ? found.desc->id : found.system->oid);
        return ST_OK;
    }
    const DescId *schemas;
    int count = session_search_path(binder->session, &schemas, binder->arena);
    DescId named = name.schema ? session_find_schema(binder->session, name.schema) : DESC_ID_NONE;
    if (name.schema) {
        schemas = &named;
        count = 1;
    }
    for (int i = 0; i < count; i++) {
        const IndexDesc *index;
        const TableDesc *table = catalog_find_index(binder->session->catalog, schemas[i], name.name, &index);
        if (!table) continue;
        *value = value_int(index_oid(table->base.id, index->id));
        return ST_OK;
    }
    return err_set(binder->err, binder->arena, ERR_UNDEFINED_TABLE, "relation \"%s\" does not exist",
                   bind_qualified_text(binder, &name));
}

static Status type_literal(Binder *binder, const char *text, Value *value)
{
    AstType *ast;
    TypeRef type;
    TRY(parse_type_text(text, &ast, binder->arena, binder->err));
    TRY(bind_type(binder, ast, &type));
    *value = value_int(type_ref_oid(type));
    return ST_OK;
}

static Status procedure_literal(Binder *binder, const char *text, Value *value)
{
    const char *open = strchr(text, '(');
    char *name = arena_strndup(binder->arena, text, open ? (size_t)(open - text) : strlen(text));
    const char *bare = strncmp(name, "pg_catalog.", 11) == 0 ? name + 11 : name;
    const RegNames *names = binder->session->type_env.reg_names;
    Oid oid;
    if (!names || !names->find(names->argument, OID_REGPROC, slice_str(bare), &oid))
        return err_set(binder->err, binder->arena, ERR_UNDEFINED_FUNCTION, "function \"%s\" does not exist", text);
    *value = value_int(oid);
    return ST_OK;
}

static Status namespace_literal(Binder *binder, const char *text, Value *value)
{
    AstName name = {0};
    TRY(parse_name(binder, text, &name));
    DescId schema = session_find_schema(binder->session, name.name);
    if (!schema)
        return err_set(binder->err, binder->arena, ERR_INVALID_SCHEMA_NAME, "schema \"%s\" does not exist", name.name);
    *value = value_int(schema);
    return ST_OK;
}

static Status role_literal(Binder *binder, const char *text, Value *value)
{
    AstName name = {0};
    TRY(parse_name(binder, text, &name));
    const Desc *role = catalog_find_role(binder->session->catalog, name.name);
    if (!role)
        return err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "role \"%s\" does not exist", name.name);
    *value = value_int(role->id);
    return ST_OK;
}

enum { OID_REGPROCEDURE = 2202 };

Status bind_reg_literal(Binder *binder, const char *text, Oid type, int position, Value *value, bool *handled)
{
    *handled = true;
    if (is_number(text)) {
        *value = value_int((int64_t)strtoul(text, NULL, 10));
        *handled = type == OID_REGCLASS || type == OID_REGTYPE || type == OID_REGPROC || type == OID_REGPROCEDURE ||
                   type == OID_REGNAMESPACE || type == OID_REGROLE;
        return ST_OK;
    }
    if (strcmp(text, "-") == 0) {
        *value = value_int(0);
        *handled = type == OID_REGCLASS || type == OID_REGTYPE || type == OID_REGPROC || type == OID_REGPROCEDURE;
        return ST_OK;
    }
    Status status = ST_OK;
    switch (type) {
    case OID_REGCLASS:
        status = class_literal(binder, text, value);
        break;
    case OID_REGTYPE:
        status = type_literal(binder, text, value);
        break;
    case OID_REGPROC:
    case OID_REGPROCEDURE:
        status = procedure_literal(binder, text, value);
        break;
    case OID_REGNAMESPACE:
        status = namespace_literal(binder, text, value);
        break;
    case OID_REGROLE:
        status = role_literal(binder, text, value);
        break;
    default:
        *handled = false;
        return ST_OK;
    }
    if (status == ST_OK) return ST_OK;
    binder->err->position = position; /* positions inside the literal's own text mean nothing outside */
    return status;
}

Status bind_literal(Binder *binder, const char *text, TypeRef type, bool explicit_cast, int position, Expr **out)
{
    Value value = VALUE_NULL;
    bool handled;
    TRY(bind_reg_literal(binder, text, type.oid, position, &value, &handled));
    if (!handled) {
        const TypeDef *def = type_find(type.oid);
        if (!def) return err_unsupported(binder->err, binder->arena, "a literal of this type");
        /* char(n) and varchar(n) cut a literal that is cast explicitly; an assignment refuses it. INTERVAL's fields
         * change what the text means, so the input function must know them. */
        bool fit_later = explicit_cast && def->fit && type.oid != OID_INTERVAL;
        int32_t typmod = fit_later ? -1 : type.typmod;
        if (def->in(def, &binder->types, slice_str(text), typmod, &value) != ST_OK)
            return err_at(binder->err, position);
        if (fit_later && type.typmod >= 0 && def->fit(def, &binder->types, value, type.typmod, true, &value) != ST_OK)
            return err_at(binder->err, position);
    }
    *out = expr_const(binder->arena, type, value);
    (*out)->position = position;
    return ST_OK;
}
