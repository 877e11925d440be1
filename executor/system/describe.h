/* describe.h - definitions of tables, indexes and constraints as SQL: SHOW CREATE, pg_get_indexdef, pg_get_constraintdef.
 *
 * Texts are made from descriptors alone and lie in the arena. Two manners: PostgreSQL's, which its clients parse, and
 * CockroachDB's, which SHOW CREATE prints.
 */
#ifndef EXECUTOR_SYSTEM_DESCRIBE_H
#define EXECUTOR_SYSTEM_DESCRIBE_H

#include "planner/session.h"

/* CREATE UNIQUE INDEX i ON public.t USING btree (a, b DESC) INCLUDE (c) WHERE (p) */
const char *describe_index(Session *session, const TableDesc *table, const IndexDesc *index, bool pretty, Arena *arena);
/* The n-th key column of it alone, from 1; NULL if there is none. Implicit columns are not counted. */
typedef struct DescribePart {
    int number;
    bool pretty;
} DescribePart;
const char *describe_index_column(Session *session, const TableDesc *table, const IndexDesc *index, const DescribePart *part, Arena *arena);
/* PRIMARY KEY (a, b), UNIQUE (a), CHECK ((a > 0)) */
const char *describe_key_constraint(const TableDesc *table, const IndexDesc *index, Arena *arena);
const char *describe_check(Session *session, const TableDesc *table, const CheckDesc *check, bool pretty, Arena *arena);
const char *describe_domain_check(Session *session, const TypeDesc *domain, const CheckDesc *check, bool pretty, Arena *arena);
/* NULL: it has none of its own. */
const char *describe_domain_default(Session *session, const TypeDesc *domain, Arena *arena);
Oid describe_domain_constraint_id(const TypeDesc *domain, uint32_t constraint_id);
/* OIDs of pg_constraint: a key's is its index's, others' lie among the table's index OIDs from the end. */
Oid describe_constraint_id(const TableDesc *table, uint32_t constraint_id);
const char *describe_constraint_oid(Session *session, Oid oid, bool pretty, Arena *arena);
/* FOREIGN KEY (a) REFERENCES t(b) ON DELETE CASCADE; the table has its schema where the search path does not find it. */
const char *describe_foreign_key(const Session *session, const ForeignKeyDesc *key, const TableDesc *table, Arena *arena);
/* The same in CockroachDB's manner; qualified: with the schema always. */
void describe_put_foreign_key(Buf *out, const CatalogView *view, const TableDesc *table, const ForeignKeyDesc *key, bool qualified);
/* " DEFERRABLE INITIALLY DEFERRED" */
void describe_put_deferrable(Buf *out, bool deferrable, bool initially_deferred);
/* A column's DEFAULT as pg_get_expr shows it: a constant says its type, a sequence has its schema only if it must. */
const char *describe_default(const Session *session, const ColumnDesc *column, Arena *arena);
/* The sequence of a default that is nextval('s'::regclass); NULL: it is none. */
const Desc *describe_nextval_sequence(const Session *session, const char *text, Arena *arena);
/* SHOW CREATE: of a table, view or sequence. */
const char *describe_create(const CatalogView *view, const Desc *desc, Arena *arena);
/* A virtual column's expression as SHOW CREATE prints it (with_types), or as SHOW COLUMNS does. */
const char *describe_generation(const TableDesc *table, const ColumnDesc *column, bool with_types, Arena *arena);

/* Does the plain name find it? */
bool describe_is_visible(const Session *session, const Desc *desc, Arena *arena);

/* One key column of an index as a reader sees it: its name, or the indexed expression. */
const char *describe_key_name(const TableDesc *table, const IndexColumn *key, Arena *arena);
const char *describe_identifier(const char *name, Arena *arena);

#endif
