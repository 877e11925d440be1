/* span_print.c - spans as EXPLAIN shows them: [/'new york'/1 - /'new york'/1]. Values print as SQL literals. */
#include "planner/paths/span_build.h"
#include "storage/base/utf8.h"

static bool prints_bare(const TypeDef *type)
{
    switch (type->key_class) {
    case KEY_CLASS_INT: return type->oid != OID_TIME;
    case KEY_CLASS_FLOAT:
    case KEY_CLASS_DECIMAL: return true;
    case KEY_CLASS_NONE:
    case KEY_CLASS_DATE:
    case KEY_CLASS_BYTES:
    case KEY_CLASS_TIMESTAMP:
    case KEY_CLASS_TIMETZ:
    case KEY_CLASS_INTERVAL:
    case KEY_CLASS_BITS:
    case KEY_CLASS_ARRAY:
    case KEY_CLASS_RANGE:
    case KEY_CLASS_JSON: return false;
    }
    return false;
}

static bool needs_escape(Slice text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] < ' ' || text.data[i] == '\\' || text.data[i] == 0x7f) return true;
    return false;
}

static void print_quoted(Slice text, Buf *out)
{
    bool escape = needs_escape(text);
    buf_put_str(out, escape ? "e'" : "'");
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = text.data[i];
        if (byte == '\'')
            buf_put_str(out, escape ? "\\'" : "''");
        else if (byte == '\\')
            buf_put_str(out, "\\\\");
        else if (byte == '\n')
            buf_put_str(out, "\\n");
        else if (byte == '\t')
            buf_put_str(out, "\\t");
        else if (byte < ' ' || byte == 0x7f)
            buf_printf(out, "\\x%02x", byte);
        else
            buf_put_u8(out, byte);
    }
    buf_put_u8(out, '\'');
}

static void print_value(const ColumnDesc *column, Value value, Buf *out)
{
    const TypeDef *type = type_find(column->type.oid);
    if (value.null) {
        buf_put_str(out, "NULL");
    } else if (!type) {
        buf_put_str(out, "???");
    } else if (type->oid == OID_BOOL) {
        buf_put_str(out, value.i ? "true" : "false");
    } else if (column->role == COLUMN_HASH_CODE) {
        buf_printf(out, "0x%04x", (unsigned)value.i);
    } else if (prints_bare(type)) {
        type->out(type, &type_env_default, value, out);
    } else {
        Buf text = {0};
        type->out(type, &type_env_default, value, &text);
        print_quoted(buf_slice(&text), out);
        buf_finish(&text);
    }
}

static const ColumnDesc *column_at(const SpanSet *set, int i)
{
    return span_key_column(set->table, set->index, set->first_column + i, NULL);
}

static bool is_text_column(const SpanSet *set, int i)
{
    Oid oid = column_at(set, i)->type.oid;
    return oid == OID_TEXT || oid == OID_VARCHAR || oid == OID_BYTEA;
}

/* Behind 'x' comes 'x\x00': an open lower bound of a text prints closed. */
static void print_text_successor(Value value, Buf *out)
{
    Buf next = {0};
    buf_put(&next, value.p, value.size);
    buf_put_u8(&next, 0);
    print_quoted(buf_slice(&next), out);
    buf_finish(&next);
}

void span_print(const SpanSet *set, const LogicalSpan *span, Buf *out)
{
    int last = span->start_count - 1;
    bool start_open = span->start_after_null || !span->start_inclusive;
    bool successor = start_open && !span->start_after_null && last >= 0 && !span->start[last].null &&
                     is_text_column(set, last) && !column_at(set, last)->hidden;
    if (successor) {
        bool descending;
        span_key_column(set->table, set->index, set->first_column + last, &descending);
        successor = !descending && column_at(set, last)->type.oid != OID_BYTEA;
    }
    buf_put_u8(out, start_open && !successor ? '(' : '[');
    for (int i = 0; i < span->start_count; i++) {
        buf_put_u8(out, '/');
        if (i == last && successor)
            print_text_successor(span->start[i], out);
        else
            print_value(column_at(set, i), span->start[i], out);
    }
    if (span->start_after_null) buf_put_str(out, "/NULL");
    buf_put_str(out, " - ");
    for (int i = 0; i < span->end_count; i++) {
        buf_put_u8(out, '/');
        print_value(column_at(set, i), span->end[i], out);
    }
    if (span->end_before_null) buf_put_str(out, "/NULL");
    bool end_open = span->end_before_null || !span->end_inclusive;
    buf_put_u8(out, end_open ? ')' : ']');
}

/* ---- templates ---- */

static void print_expr(const SpanSet *set, int i, Expr *e, Buf *out, Arena *arena)
{
    Value value;
    if (expr_is_const(e, &value))
        print_value(column_at(set, i), value, out);
    else
        buf_put_str(out, expr_text(e, arena));
}

static void print_points(const SpanSet *set, int i, const SpanPart *part, Buf *out, Arena *arena)
{
    if (part->array) {
        buf_printf(out, "ANY (%s)", expr_text(part->values[0], arena));
        return;
    }
    bool list = part->value_count > 1 || part->or_null;
    if (list) buf_put_u8(out, '{');
    for (int v = 0; v < part->value_count; v++) {
        if (v) buf_put_str(out, ", ");
        if (v == 4 && part->value_count > 5) {
            buf_printf(out, "… (%d more)", part->value_count - v);
            break;
        }
        print_expr(set, i, part->values[v], out, arena);
    }
    if (part->or_null) buf_put_str(out, part->value_count ? ", NULL" : "NULL");
    if (list) buf_put_u8(out, '}');
}

static void print_pins(const SpanSet *set, const SpanTemplate *template, int count, Buf *out, Arena *arena)
{
    for (int i = 0; i < count; i++) {
        const SpanPart *part = &template->parts[i];
        buf_put_u8(out, '/');
        if (part->kind == SPAN_POINTS)
            print_points(set, i, part, out, arena);
        else if (part->kind == SPAN_NULL)
            buf_put_str(out, "NULL");
        else
            buf_put_str(out, expr_text(part->computed, arena));
    }
}

void span_print_template(const SpanSet *set, const SpanTemplate *template, Buf *out, Arena *arena)
{
    int last = template->part_count - 1;
    const SpanPart *part = &template->parts[last];
    bool range = part->kind == SPAN_RANGE || part->kind == SPAN_NOT_NULL;
    int pins = range ? last : last + 1;
    bool descending = false;
    const ColumnDesc *column = span_key_column(set->table, set->index, set->first_column + last, &descending);
    Expr *from = range ? (descending ? part->high : part->low) : NULL;
    Expr *to = range ? (descending ? part->low : part->high) : NULL;
    bool from_closed = !range || (descending ? part->high_inclusive : part->low_inclusive);
    bool to_closed = !range || (descending ? part->low_inclusive : part->high_inclusive);
    bool nulls = range && !column->not_null;
    bool after_null = nulls && !descending && !from, before_null = nulls && descending && !to;
    buf_put_u8(out, (from && !from_closed) || after_null ? '(' : '[');
    print_pins(set, template, pins, out, arena);
    if (from || after_null) buf_put_u8(out, '/');
    if (from) print_expr(set, last, from, out, arena);
    if (after_null) buf_put_str(out, "NULL");
    buf_put_str(out, " - ");
    print_pins(set, template, pins, out, arena);
    if (to || before_null) buf_put_u8(out, '/');
    if (to) print_expr(set, last, to, out, arena);
    if (before_null) buf_put_str(out, "NULL");
    buf_put_u8(out, (to && !to_closed) || before_null ? ')' : ']');
}
