/* bind_domain.c - values on their way into domains. */
#include "planner/bind/bind_change.h"
#include "planner/bind/bind_types.h"
#include "storage/types/type_user.h"

typedef VEC(DomainRule) RuleVec;

static const TypeDesc *find_domain(const Binder *binder, Oid oid)
{
    const UserType *type = user_type_find(oid);
    const Desc *desc = type ? catalog_find_id(binder->session->catalog, type->def.oid) : NULL;
    return desc && desc->kind == DESC_TYPE && ((const TypeDesc *)desc)->form == TYPE_DOMAIN ? (const TypeDesc *)desc : NULL;
}

static bool is_array_of_domain(Oid oid)
{
    const UserType *type = user_type_find(oid);
    return type && type->def.oid != oid;
}

Status bind_domain_check(Binder *binder, const TypeDesc *domain, const char *text, ColId value, Expr **out)
{
    TableDesc table = {.base.name = domain->base.name};
    TypeRef of = domain->of;
    VEC_PUSH(binder->arena, table.columns, (ColumnDesc){.id = 1, .name = "value", .type = of});
    RelColumn column = {.id = value, .name = "value", .type = of};
    return bind_table_text(binder, &(TableExpr){&table, &column, text, {OID_BOOL, -1}}, "value", out);
}

/* Those of the domain that it stands on come first. */
static Status collect_rules(Binder *binder, const TypeDesc *domain, ColId value, RuleVec *rules)
{
    const TypeDesc *below = domain->of.domain && !is_array_of_domain(domain->of.domain)
                                ? find_domain(binder, domain->of.domain)
                                : NULL;
    if (below) TRY(collect_rules(binder, below, value, rules));
    if (domain->not_null) VEC_PUSH(binder->arena, *rules, (DomainRule){0});
    for (int i = 0; i < domain->checks.count; i++) {
        DomainRule rule = {.constraint = domain->checks.items[i].name};
        TRY(bind_domain_check(binder, domain, domain->checks.items[i].expr, value, &rule.check));
        VEC_PUSH(binder->arena, *rules, rule);
    }
    return ST_OK;
}

static Status judge(Binder *binder, Expr *e, TypeRef wanted, Expr **out)
{
    const TypeDesc *domain = find_domain(binder, wanted.domain);
    RuleVec rules = {0};
    ColId value = binder_new_column(binder);
    if (!domain) return err_set(binder->err, binder->arena, ERR_UNDEFINED_OBJECT, "type with OID %u does not exist", wanted.domain);
    TRY(collect_rules(binder, domain, value, &rules));
    Expr **args = ARENA_ARRAY(binder->arena, Expr *, 1);
    args[0] = e;
    if (rules.count == 0) { /* of that type from here on */
        CastDef same = {wanted.oid, wanted.oid, CAST_IMPLICIT, CAST_BINARY, NULL};
        *out = e->kind == EXPR_CONST ? expr_const(binder->arena, wanted, ((ExprConst *)e)->value)
                                     : expr_cast(binder->arena, e, same, wanted, false);
        return ST_OK;
    }
    ExprDomain *checked = (ExprDomain *)expr_new(binder->arena, EXPR_DOMAIN, wanted, args, 1);
    checked->base.position = e->position;
    checked->value = value;
    checked->rules = rules.items;
    checked->rule_count = rules.count;
    checked->domain = domain->base.id;
    checked->elements = is_array_of_domain(wanted.domain);
    *out = &checked->base;
    return ST_OK;
}

Status bind_coerce_domain(Binder *binder, Expr *e, TypeRef wanted, CastContext context, int position, Expr **out)
{
    *out = e;
    if (e->type.domain == wanted.domain) return ST_OK;
    const TypeDesc *domain = find_domain(binder, wanted.domain);
    TypeRef base = {wanted.oid, wanted.typmod};
    if (domain && domain->base.id == wanted.domain && domain->of.domain && is_array_of_domain(domain->of.domain))
        base = domain->of;
    TRY(bind_coerce(binder, e, base, context, position, &e));
    return judge(binder, e, wanted, out);
}

Status bind_type_default(Binder *binder, const ColumnDesc *column, Expr **out)
{
    Expr *null = expr_null(binder->arena, (TypeRef){column->type.oid, column->type.typmod});
    const TypeDesc *domain = column->type.domain ? find_domain(binder, column->type.domain) : NULL;
    *out = null;
    if (!column->type.domain) return ST_OK;
    while (domain && !domain->default_expr && domain->of.domain) domain = find_domain(binder, domain->of.domain);
    if (domain && domain->default_expr && !is_array_of_domain(column->type.domain))
        return bind_table_text(binder, &(TableExpr){NULL, NULL, domain->default_expr, column->type}, column->name, out);
    return judge(binder, null, column->type, out);
}
