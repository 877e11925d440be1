/* bind_resolve.c - choosing among overloads, as PostgreSQL's manual chapter 10 lays down.
 *
 *   1. an exact match of all types wins (of an operator, an unknown literal is first taken to have the other side's
 * type)
 *   2. candidates whose arguments all coerce implicitly are kept
 *   3. of these, those with the most exact matches; then those with the most exact or preferred types
 *   4. unknown literals: by position the category all agree on, strings first; then preferred types of it
 *   5. if known arguments are all of one type, unknown ones are taken to be of it too
 */
#include "planner/bind/bind_types.h"
#include "storage/types/type_enum.h"
#include "storage/types/type_range.h"

enum {
    OID_ANYENUM = 3500,
    OID_ANYCOMPATIBLE = 5077,
    OID_ANYCOMPATIBLEARRAY = 5078,
    OID_ANYCOMPATIBLENONARRAY = 5079
};

typedef struct Candidate {
    int index; /* among the signatures */
    Oid args[ARGUMENTS_MAX];
    bool expanded; /* variadic, written out for this many arguments */
} Candidate;

typedef struct Choice {
    Candidate **items;
    int count;
    const Oid *types;
    int type_count;
} Choice;

/* ---- reading signatures ---- */

Oid signature_type(Slice name)
{
    char text[64];
    bool array = name.size > 2 && memcmp(name.data + name.size - 2, "[]", 2) == 0;
    size_t size = array ? name.size - 2 : name.size;
    if (size >= sizeof text) return 0;
    memcpy(text, name.data, size);
    text[size] = '\0';
    const TypeDef *def = type_find_name(text);
    if (!def) return 0;
    return array ? def->array_oid : def->oid;
}

/* Returns how many arguments there are, -1 if a type is not known to this build. */
static int read_arguments(const char *text, Oid *args)
{
    int count = 0;
    for (const char *p = text; *p && count < ARGUMENTS_MAX;) {
        while (*p == ' ') p++;
        const char *end = strchr(p, ',');
        size_t size = end ? (size_t)(end - p) : strlen(p);
        while (size && p[size - 1] == ' ') size--;
        args[count] = signature_type(slice_of(p, size));
        if (!args[count]) return -1;
        count++;
        p = end ? end + 1 : "";
    }
    return count;
}

/* Writes the signature out for n arguments; false if it cannot have that many. */
static bool expand(const Signature *signature, int n, Candidate *candidate)
{
    if (strcmp(signature->arguments, "*") == 0) return n == 0;
    int count = read_arguments(signature->arguments, candidate->args);
    if (count < 0 || n > ARGUMENTS_MAX) return false;
    if (count == n) {
        candidate->expanded = signature->variadic;
        return true;
    }
    if (signature->optional_tail && n < count) return n > 0;
    if (!signature->variadic || count == 0 || n < count) return false;
    for (int i = count; i < n; i++) candidate->args[i] = candidate->args[count - 1];
    candidate->expanded = true;
    return true;
}

/* ---- polymorphic types ---- */

static bool is_polymorphic(Oid oid)
{
    return oid == OID_ANYELEMENT || oid == OID_ANYARRAY || oid == OID_ANYNONARRAY || oid == OID_ANYENUM ||
           oid == OID_ANYRANGE || oid == OID_ANYMULTIRANGE || oid == OID_ANYCOMPATIBLE || oid == OID_ANYCOMPATIBLEARRAY ||
           oid == OID_ANYCOMPATIBLENONARRAY;
}

static bool is_compatible_family(Oid oid)
{
    return oid == OID_ANYCOMPATIBLE || oid == OID_ANYCOMPATIBLEARRAY || oid == OID_ANYCOMPATIBLENONARRAY;
}

static bool is_array_stand_in(Oid oid)
{
    return oid == OID_ANYARRAY || oid == OID_ANYCOMPATIBLEARRAY;
}

/* What an argument of a polymorphic type says of its element: the actual type itself, or that of its elements or bounds.
 * 0: the formal type takes no such argument. */
static Oid element_of(Oid formal, const TypeDef *actual)
{
    if (is_array_stand_in(formal)) return type_is_array(actual) ? actual->element_oid : 0;
    if (formal == OID_ANYRANGE || formal == OID_ANYMULTIRANGE) {
        const TypeDef *of = formal == OID_ANYRANGE ? range_element(actual->oid) : multirange_element(actual->oid);
        return of ? of->oid : 0;
    }
    if ((formal == OID_ANYNONARRAY && type_is_array(actual)) || (formal == OID_ANYENUM && !type_is_enum(actual))) return 0;
    return actual->oid;
}

/* The element type that the polymorphic arguments agree on; 0 if they do not, OID_UNKNOWN if all are unknown. */
static Oid agreed_element(const Candidate *c, const Oid *types, int n, bool compatible)
{
    Oid agreed = OID_UNKNOWN;
    for (int i = 0; i < n; i++) {
        Oid formal = c->args[i], actual = types[i];
        if (!is_polymorphic(formal) || is_compatible_family(formal) != compatible || actual == OID_UNKNOWN) continue;
        const TypeDef *def = type_find(actual);
        if (!def) return 0;
        actual = element_of(formal, def);
        if (!actual) return 0;
        if (agreed == OID_UNKNOWN || agreed == actual) {
            agreed = actual;
        } else if (!compatible) {
            return 0;
        } else if (type_can_coerce(agreed, actual, CAST_IMPLICIT)) {
            agreed = actual;
        } else if (!type_can_coerce(actual, agreed, CAST_IMPLICIT)) {
            return 0;
        }
    }
    return agreed;
}

static Oid concrete(Oid formal, Oid element, Oid compatible)
{
    if (!is_polymorphic(formal)) return formal;
    Oid of = is_compatible_family(formal) ? compatible : element;
    if (of == OID_UNKNOWN) of = OID_TEXT;
    if (formal == OID_ANYRANGE) return range_over(of);
    if (formal == OID_ANYMULTIRANGE) return multirange_over(of);
    if (!is_array_stand_in(formal)) return of;
    const TypeDef *def = type_find(of);
    return def ? def->array_oid : 0;
}

/* ---- keeping candidates ---- */

static bool all_coerce(const Candidate *c, const Oid *types, int n)
{
    for (int i = 0; i < n; i++)
        if (!is_polymorphic(c->args[i]) && !type_can_coerce(types[i], c->args[i], CAST_IMPLICIT)) return false;
    return agreed_element(c, types, n, false) && agreed_element(c, types, n, true);
}

static bool is_exact(const Candidate *c, const Oid *types, int n)
{
    for (int i = 0; i < n; i++)
        if (c->args[i] != types[i]) return false;
    return true;
}

static char category_of(Oid oid)
{
    const TypeDef *def = type_find(oid);
    return def ? def->category : 'X';
}

static bool is_preferred(Oid oid)
{
    const TypeDef *def = type_find(oid);
    return def && def->preferred;
}

/* varchar and its like are accepted as text without any work. */
static Oid base_of(Oid oid)
{
    return oid == OID_VARCHAR ? OID_TEXT : oid;
}

static int score(const Choice *choice, const Candidate *c, bool preferred_too)
{
    int points = 0;
    for (int i = 0; i < choice->type_count; i++) {
        Oid actual = base_of(choice->types[i]);
        if (actual == OID_UNKNOWN) continue;
        if (c->args[i] == actual || c->args[i] == choice->types[i])
            points++;
        else if (preferred_too && category_of(c->args[i]) == category_of(actual) && is_preferred(c->args[i]))
            points++;
    }
    return points;
}

static void keep_best(Choice *choice, bool preferred_too)
{
    int best = 0, kept = 0;
    for (int i = 0; i < choice->count; i++) {
        int points = score(choice, choice->items[i], preferred_too);
        if (points > best) {
            best = points;
            kept = 0;
        }
        if (points == best) choice->items[kept++] = choice->items[i];
    }
    choice->count = kept;
}

/* Which category an unknown argument is to have; 0: candidates do not agree. */
static char unknown_category(const Choice *choice, int position)
{
    char agreed = category_of(choice->items[0]->args[position]);
    bool differ = false;
    for (int i = 0; i < choice->count; i++) {
        char category = category_of(choice->items[i]->args[position]);
        if (category == 'S') return 'S';
        differ |= category != agreed;
    }
    return differ ? 0 : agreed;
}

static void keep_by_unknowns(Choice *choice)
{
    for (int p = 0; p < choice->type_count; p++)
        if (choice->types[p] == OID_UNKNOWN && !unknown_category(choice, p)) return;
    for (int p = 0; p < choice->type_count; p++) {
        if (choice->types[p] != OID_UNKNOWN) continue;
        char category = unknown_category(choice, p);
        bool has_preferred = false;
        for (int i = 0; i < choice->count; i++) {
            Oid formal = choice->items[i]->args[p];
            has_preferred |= category_of(formal) == category && is_preferred(formal);
        }
        int kept = 0;
        for (int i = 0; i < choice->count; i++) {
            Oid formal = choice->items[i]->args[p];
            if (category_of(formal) != category || (has_preferred && !is_preferred(formal))) continue;
            choice->items[kept++] = choice->items[i];
        }
        if (kept) choice->count = kept;
    }
}

/* Known arguments all of one type: the unknown ones are taken to be of it. */
static void keep_by_known_type(Choice *choice)
{
    Oid known = OID_UNKNOWN;
    for (int p = 0; p < choice->type_count; p++) {
        if (choice->types[p] == OID_UNKNOWN) continue;
        if (known != OID_UNKNOWN && known != base_of(choice->types[p])) return;
        known = base_of(choice->types[p]);
    }
    if (known == OID_UNKNOWN) return;
    Oid all[ARGUMENTS_MAX];
    for (int p = 0; p < choice->type_count; p++) all[p] = known;
    int kept = 0;
    Candidate *found = NULL;
    for (int i = 0; i < choice->count; i++)
        if (all_coerce(choice->items[i], all, choice->type_count)) {
            found = choice->items[i];
            kept++;
        }
    if (kept != 1) return;
    choice->items[0] = found;
    choice->count = 1;
}

/* Of the same row written out and not, the plain one. */
static void keep_not_expanded(Choice *choice)
{
    int kept = 0;
    for (int i = 0; i < choice->count; i++)
        if (!choice->items[i]->expanded) choice->items[kept++] = choice->items[i];
    if (kept) choice->count = kept;
}

static bool any_unknown(const Choice *choice)
{
    for (int i = 0; i < choice->type_count; i++)
        if (choice->types[i] == OID_UNKNOWN) return true;
    return false;
}

static void narrow(Choice *choice)
{
    keep_best(choice, false);
    if (choice->count > 1) keep_not_expanded(choice);
    if (choice->count > 1) keep_best(choice, true);
    if (choice->count > 1 && any_unknown(choice)) keep_by_unknowns(choice);
    if (choice->count > 1 && any_unknown(choice)) keep_by_known_type(choice);
}

/* ---- the choice ---- */

static void settle(Binder *binder, const Signature *signature, const Candidate *c, const Oid *types, int n,
                   Resolution *r)
{
    Oid element = agreed_element(c, types, n, false), compatible = agreed_element(c, types, n, true);
    r->chosen = c->index;
    r->args = ARENA_ARRAY(binder->arena, Oid, n);
    for (int i = 0; i < n; i++) r->args[i] = c->args[i] == OID_ANY ? 0 : concrete(c->args[i], element, compatible);
    for (int i = 0; i < n; i++)
        r->undetermined |= is_polymorphic(c->args[i]) && !is_compatible_family(c->args[i]) && element == OID_UNKNOWN;
    const char *result = signature->result ? signature->result : "void";
    bool set = strncmp(result, "setof ", 6) == 0;
    if (set) result += 6;
    r->result = concrete(signature_type(slice_str(result)), element, compatible);
}

static Candidate *exact_match(const Choice *choice, const Oid *types)
{
    for (int i = 0; i < choice->count; i++)
        if (is_exact(choice->items[i], types, choice->type_count)) return choice->items[i];
    return NULL;
}

/* `date '2024-01-01' - '1 day'`: the literal is first tried as the other side's type. */
static Candidate *exact_operator(const Choice *choice)
{
    if (choice->type_count != 2) return exact_match(choice, choice->types);
    Oid assumed[2] = {choice->types[0], choice->types[1]};
    if (assumed[0] == OID_UNKNOWN) assumed[0] = assumed[1];
    if (assumed[1] == OID_UNKNOWN) assumed[1] = assumed[0];
    return exact_match(choice, assumed);
}

void bind_resolve(Binder *binder, const Overloads *overloads, const Oid *types, int type_count, Resolution *resolution)
{
    const Signature *signatures = overloads->items;
    int count = overloads->count;
    *resolution = (Resolution){.chosen = -1};
    Candidate **all = ARENA_ARRAY(binder->arena, Candidate *, count);
    Choice choice = {all, 0, types, type_count};
    for (int i = 0; i < count; i++) {
        Candidate candidate = {.index = i};
        if (!expand(&signatures[i], type_count, &candidate)) continue;
        all[choice.count++] = arena_copy(binder->arena, &candidate, sizeof candidate);
    }
    Candidate *exact = overloads->operators ? exact_operator(&choice) : exact_match(&choice, types);
    if (!exact) {
        int kept = 0;
        for (int i = 0; i < choice.count; i++)
            if (all_coerce(choice.items[i], types, type_count)) choice.items[kept++] = choice.items[i];
        choice.count = kept;
        if (choice.count > 1) narrow(&choice);
        if (choice.count == 1) exact = choice.items[0];
        resolution->ambiguous = choice.count > 1;
    }
    if (exact) settle(binder, &signatures[exact->index], exact, types, type_count, resolution);
}

Status bind_fit_arguments(Binder *binder, const Resolution *resolution, Expr **args, int count)
{
    if (resolution->undetermined)
        return err_set(binder->err, binder->arena, ERR_DATATYPE_MISMATCH,
                       "could not determine polymorphic type because input has type unknown");
    for (int i = 0; i < count; i++) {
        if (!resolution->args[i]) {
            /* "any" takes a literal as it is; a parameter must get some type. */
            if (args[i]->kind != EXPR_CONST) TRY(bind_resolve_unknown(binder, args[i], &args[i]));
            continue;
        }
        TypeRef wanted = {resolution->args[i], -1};
        TRY(bind_coerce(binder, args[i], wanted, CAST_IMPLICIT, args[i]->position, &args[i]));
    }
    return ST_OK;
}
