#include <errno.h>
#include <stdlib.h>

#include "parser/ast_print.h"
#include "planner/bind/bind_ddl.h"

static bool literal_int(const AstExpr *e, int64_t *value)
{
    if (!e || e->kind != AST_LITERAL) return false;
    const AstLiteral *literal = (const AstLiteral *)e;
    if (literal->literal != AST_LITERAL_INT) return false;
    errno = 0;
    char *end;
    *value = strtoll(literal->text, &end, 10);
    return errno == 0 && *end == '\0';
}

static void type_bounds(Oid type, int64_t *low, int64_t *high)
{
    *low = type == OID_INT2 ? INT16_MIN : type == OID_INT4 ? INT32_MIN : INT64_MIN;
    *high = type == OID_INT2 ? INT16_MAX : type == OID_INT4 ? INT32_MAX : INT64_MAX;
}

void ddl_sequence_defaults(SequenceDesc *sequence, Oid type)
{
    int64_t low, high;
    type_bounds(type, &low, &high);
    bool down = sequence->increment < 0;
    sequence->type = type;
    if (!sequence->increment) sequence->increment = 1;
    sequence->minimum = down ? low : 1;
    sequence->maximum = down ? -1 : high;
    sequence->start = down ? sequence->maximum : sequence->minimum;
    sequence->cache = 1;
}

typedef struct SequenceOptions {
    Binder *b;
    const AstOptionVec *options;
} SequenceOptions;

/* *given false: not written, or written as NO. */
static Status option_int(SequenceOptions *o, const char *name, bool *given, int64_t *value)
{
    const AstOption *option = ast_option(o->options, name);
    *given = option && option->value;
    if (!*given) return ST_OK;
    if (literal_int(option->value, value)) return ST_OK;
    return ddl_fail(o->b, option->position, ERR_INVALID_PARAMETER_VALUE, "invalid value for sequence option \"%s\"", name);
}

static Status read_increment(SequenceOptions *o, SequenceDesc *s)
{
    bool given;
    int64_t value;
    TRY(option_int(o, "increment", &given, &value));
    if (!given) return ST_OK;
    if (value == 0) return ddl_fail(o->b, 0, ERR_INVALID_PARAMETER_VALUE, "INCREMENT must not be zero");
    s->increment = value;
    return ST_OK;
}

static Status read_bounds(SequenceOptions *o, SequenceDesc *s)
{
    int64_t low, high, value;
    bool given;
    const char *type = type_format((TypeRef){s->type, -1}, o->b->arena);
    type_bounds(s->type, &low, &high);
    TRY(option_int(o, "maxvalue", &given, &value));
    if (given) s->maximum = value;
    if (s->maximum > high || s->maximum < low)
        return ddl_fail(o->b, 0, ERR_INVALID_PARAMETER_VALUE, "MAXVALUE (%lld) is out of range for sequence data type %s",
                        (long long)s->maximum, type);
    TRY(option_int(o, "minvalue", &given, &value));
    if (given) s->minimum = value;
    if (s->minimum < low || s->minimum > high)
        return ddl_fail(o->b, 0, ERR_INVALID_PARAMETER_VALUE, "MINVALUE (%lld) is out of range for sequence data type %s",
                        (long long)s->minimum, type);
    if (s->minimum >= s->maximum)
        return ddl_fail(o->b, 0, ERR_INVALID_PARAMETER_VALUE, "MINVALUE (%lld) must be less than MAXVALUE (%lld)",
                        (long long)s->minimum, (long long)s->maximum);
    return ST_OK;
}

static Status read_start(SequenceOptions *o, SequenceDesc *s, bool is_new)
{
    bool given;
    int64_t value;
    TRY(option_int(o, "start", &given, &value));
    if (given)
        s->start = value;
    else if (is_new)
        s->start = s->increment > 0 ? s->minimum : s->maximum;
    if (s->start < s->minimum)
        return ddl_fail(o->b, 0, ERR_INVALID_PARAMETER_VALUE, "START value (%lld) cannot be less than MINVALUE (%lld)",
                        (long long)s->start, (long long)s->minimum);
    if (s->start > s->maximum)
        return ddl_fail(o->b, 0, ERR_INVALID_PARAMETER_VALUE, "START value (%lld) cannot be greater than MAXVALUE (%lld)",
                        (long long)s->start, (long long)s->maximum);
    TRY(option_int(o, "cache", &given, &value));
    if (given && value < 1)
        return ddl_fail(o->b, 0, ERR_INVALID_PARAMETER_VALUE, "CACHE (%lld) must be greater than zero", (long long)value);
    if (given) s->cache = value;
    return ST_OK;
}

Status ddl_sequence_options(Binder *b, const AstOptionVec *options, SequenceDesc *sequence, bool is_new)
{
    static const AstOptionVec none;
    SequenceOptions o = {b, options ? options : &none};
    if (ast_option(o.options, "virtual")) return ddl_unsupported(b, 0, "VIRTUAL sequence");
    TRY(read_increment(&o, sequence));
    if (is_new) ddl_sequence_defaults(sequence, sequence->type);
    TRY(read_bounds(&o, sequence));
    TRY(read_start(&o, sequence, is_new));
    const AstOption *cycle = ast_option(o.options, "cycle");
    if (cycle)
        sequence->cycle = !cycle->value || strcmp(((const AstLiteral *)cycle->value)->text, "false") != 0;
    return ST_OK;
}

const char *ddl_nextval_text(Binder *b, DescId schema, const char *sequence)
{
    Buf text = {0};
    buf_put_str(&text, "nextval(");
    ast_print_string(ddl_qualified(b, schema, sequence), &text);
    buf_put_str(&text, "::regclass)");
    const char *copy = buf_to_str(&text, b->arena);
    buf_finish(&text);
    return copy;
}

/* SEQUENCE NAME s.q: the name that pg_dump gives an identity's sequence; it lies in its table's schema in any case. */
static const char *wanted_name(const AstOptionVec *options)
{
    const AstOption *option = options ? ast_option(options, "sequence_name") : NULL;
    if (!option || !option->value || option->value->kind != AST_COLUMN) return NULL;
    const AstColumn *path = (const AstColumn *)option->value;
    return path->names.items[path->names.count - 1];
}

Status ddl_own_sequence(TableDraft *d, ColumnDesc *column, Oid type, const AstOptionVec *options)
{
    Binder *b = d->b;
    SequenceDesc *sequence = ARENA_NEW(b->arena, SequenceDesc);
    sequence->base = (Desc){.kind = DESC_SEQUENCE, .parent_database = d->table->base.parent_database,
                            .parent_schema = d->table->base.parent_schema, .owner = d->table->base.owner};
    sequence->type = type;
    TRY(ddl_sequence_options(b, options, sequence, true));
    sequence->base.name = wanted_name(options);
    if (!sequence->base.name) sequence->base.name = ddl_choose_relation_name(d, d->table->base.name, column->name, "seq");
    sequence->owner_column = column->id;
    VEC_PUSH(b->arena, d->sequences, (OwnedSequence){sequence, column->id});
    column->default_expr = ddl_nextval_text(b, d->table->base.parent_schema, sequence->base.name);
    return ST_OK;
}
