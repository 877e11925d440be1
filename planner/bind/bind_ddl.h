/* bind_ddl.h - what the files that draft descriptors share.
 *
 * A TableDraft is a table in the making: a new one, or a copy of one that ALTER TABLE or CREATE INDEX changes. Columns get
 * their ids as they are added, so their order in the list is the order of the ids. Key columns other than the user's
 * (buckets, hash codes, indexed expressions) are added by the index that needs them first and shared by later ones.
 */
#ifndef PLANNER_BIND_BIND_DDL_H
#define PLANNER_BIND_BIND_DDL_H

#include "planner/bind/bind.h"
#include "planner/utility_ddl.h"

typedef struct TableDraft {
    Binder *b;
    TableDesc *table;
    VEC(const AstColumnDef *) asts; /* beside table->columns; NULL for columns that this statement does not define */
    OwnedSequenceVec sequences;
    IndexSplitVec splits;
    NoticeVec notices;
    StrVec names_taken; /* relations that the statement itself makes */
} TableDraft;

/* ---- bind_ddl.c: dispatch, errors ---- */

Status ddl_fail(Binder *b, int position, SqlState code, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* 0A000 `X is not supported`. */
Status ddl_unsupported(Binder *b, int position, const char *what);
/* Accepted without effect, with a NOTICE: the object is there already (code: PostgreSQL's of the error), or is not. */
Status ddl_skip(Binder *b, const char *tag, SqlState code, Plan **out, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void ddl_notice(Binder *b, NoticeVec *notices, SqlState code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* As bind_find_relation and bind_find_table, but an error has no position: PostgreSQL gives DDL's none. */
Status ddl_find_relation(Binder *b, const AstName *name, bool required, BoundName *found);
Status ddl_find_table(Binder *b, const AstName *name, const TableDesc **table);
/* The name as messages show it: with its schema where the search path does not find it. */
const char *ddl_shown_name(Binder *b, const Desc *desc);

/* One function per statement family. */
Status bind_create_table(Binder *b, const AstCreateTable *ast, Plan **out);
Status bind_create_table_as(Binder *b, const AstCreateTableAs *ast, Plan **out);
Status bind_create_index(Binder *b, const AstCreateIndex *ast, Plan **out);
Status bind_alter_table(Binder *b, const AstAlterTable *ast, Plan **out);
Status bind_create_database(Binder *b, const AstCreateDatabase *ast, Plan **out);
Status bind_create_schema(Binder *b, const AstCreateSchema *ast, Plan **out);
Status bind_create_view(Binder *b, const AstCreateView *ast, Plan **out);
Status bind_create_sequence(Binder *b, const AstCreateSequence *ast, Plan **out);
Status bind_alter_sequence(Binder *b, const AstAlterSequence *ast, Plan **out);
Status bind_create_enum(Binder *b, const AstCreateEnum *ast, Plan **out);
/* 0A000 if a stored expression or view has the words, which `change` would take from it. */
Status ddl_check_unsaid(Binder *b, const Desc *type, const char *words, const char *change);
Status bind_refresh(Binder *b, const AstRefresh *ast, Plan **out);
/* Binds and plans the query of a materialized view that is drafted, and notes what it reads. */
Status ddl_matview_query(Binder *b, const AstStmt *query, TableDesc *view, PlannedStmt **out);
/* `code` if it is another relation. */
Status ddl_find_matview(Binder *b, const AstName *name, SqlState code, const TableDesc **view);
Status bind_create_domain(Binder *b, const AstCreateDomain *ast, Plan **out);
Status bind_alter_domain(Binder *b, const AstAlterTable *ast, Plan **out);
/* 42704 if there is none, 42809 if it is another type. */
Status ddl_find_domain(Binder *b, const AstName *name, const TypeDesc **domain);
Status bind_comment_domain(Binder *b, const AstComment *ast, Plan **out);
Status bind_alter_enum(Binder *b, const AstAlterEnum *ast, Plan **out);
/* The schema that a CREATE goes to: the session's own for what is temporary, or named so. 42P16, 42501. */
Status ddl_creation_schema(Binder *b, const AstName *name, AstPersistence persistence, DescId *schema);
bool ddl_is_temporary(const Binder *b, DescId schema);
/* current_user and its kin are the names they stand for. */
const char *ddl_role_name(Binder *b, const char *name);
/* A copy of the descriptor whose fields, and a table's or view's columns, may be changed. */
Desc *ddl_desc_copy(Binder *b, const Desc *desc);
ColumnDesc *ddl_columns(Desc *desc, int *count); /* NULL: it has none */
Plan *ddl_create_utility(Binder *b, UtilityKind kind, const char *tag, Desc *draft);
Plan *ddl_change_utility(Binder *b, const char *tag, const Desc *before, Desc *after);
Status bind_create_role(Binder *b, const AstCreateRole *ast, Plan **out);
/* GRANT, REVOKE, ALTER DEFAULT PRIVILEGES, DROP and REASSIGN OWNED. */
Status bind_privileges(Binder *b, const AstStmt *stmt, Plan **out);
Status bind_alter_object(Binder *b, const AstAlterObject *ast, Plan **out);
Status bind_drop(Binder *b, const AstDrop *ast, Plan **out);
Status bind_create_extension(Binder *b, const AstCreateExtension *ast, Plan **out);
Status bind_drop_extension(Binder *b, const AstDrop *ast, Plan **out);
Status bind_comment_extension(Binder *b, const AstComment *ast, Plan **out);
Status bind_drop_index(Binder *b, const AstDrop *ast, Plan **out);
Status bind_truncate(Binder *b, const AstTruncate *ast, Plan **out);
Status bind_comment(Binder *b, const AstComment *ast, Plan **out);
Status bind_analyze(Binder *b, const AstVacuum *ast, Plan **out);
Status bind_lock_table(Binder *b, const AstLock *ast, Plan **out);
Status bind_split_at(Binder *b, const AstSplitAt *ast, Plan **out);
Status bind_scatter(Binder *b, const AstScatter *ast, Plan **out);
Status bind_forecast(Binder *b, const AstForecast *ast, Plan **out);
Status bind_relocate(Binder *b, const AstRelocate *ast, Plan **out);

/* ---- bind_zone.c ---- */

Status bind_configure_zone(Binder *b, const AstConfigureZone *ast, Plan **out);

/* Binds and plans a query inside the statement. */
Status ddl_nested_query(Binder *b, const AstStmt *stmt, PlannedStmt **out);

/* ---- bind_ddl_table.c ---- */

/* An empty draft of that name in that schema, its primary index reserved. */
TableDraft *ddl_draft_table(Binder *b, DescId schema, const char *name);
/* The same with all that CREATE TABLE says of it. */
Status ddl_draft_create_table(Binder *b, DescId schema, const AstCreateTable *ast, TableDraft **draft);
/* Is there a relation or index of that name? */
bool ddl_relation_exists(Binder *b, DescId schema, const char *name);
/* 42501 for the built-in schemas. */
Status ddl_check_schema_writable(Binder *b, DescId schema, const char *name);

/* ---- bind_ddl_name.c: names that nobody wrote ---- */

/* name1_name2_label, cut as PostgreSQL cuts to fit 63 bytes, with a number if a relation of the schema, or one that this
 * statement makes, has it. */
const char *ddl_choose_relation_name(TableDraft *d, const char *name1, const char *name2, const char *label);
/* The same among the table's constraints and indexes. */
const char *ddl_choose_constraint_name(TableDraft *d, const char *column, const char *label);
bool ddl_constraint_exists(const TableDesc *table, const char *name);
/* "a_lower_b" for the elements of an index. */
const char *ddl_index_columns_text(TableDraft *d, const AstIndexElemVec *key, const StrVec *including);
/* "schema.name", quoted where needed. */
const char *ddl_qualified(Binder *b, DescId schema, const char *name);
const char *ddl_quoted(Binder *b, const char *name);

/* ---- bind_ddl_view_text.c ---- */

typedef struct Renamed {
    const Desc *object;      /* a table or view */
    uint32_t column_id;      /* 0: it has another name itself */
    const char *old_name, *new_name, *new_schema; /* old_name: of the column; new_schema NULL: the same */
} Renamed;
/* The views that read the object, with their texts changed. */
Status ddl_rename_in_views(Binder *b, const Renamed *renamed, ViewChangeVec *changes);

/* ---- bind_ddl_column.c ---- */

/* Adds a column with its type, default, NOT NULL, identity and computed expression (the latter two as text, checked by
 * ddl_check_columns once all columns are known). Key constraints are not looked at. */
Status ddl_add_column(TableDraft *d, const AstColumnDef *ast);
/* Checks the DEFAULTs and computed expressions of the columns from ordinal `first` on. */
Status ddl_check_columns(TableDraft *d, int first);
Status ddl_check_default(Binder *b, const ColumnDesc *column, const AstExpr *ast);
/* A column that nobody wrote; its id is given out here. Returns its ordinal. */
int ddl_add_hidden_column(TableDraft *d, ColumnDesc column);
Status ddl_add_rowid(TableDraft *d);
/* CHECK of a column or of the table, once all columns are known. */
Status ddl_add_check(TableDraft *d, const AstConstraint *ast);
Status ddl_check_collation(Binder *b, const AstName *collation);
/* FAMILY clauses: made before the columns are, filled after. */
Status ddl_add_families(TableDraft *d, const AstTableElemVec *elems);
Status ddl_assign_families(TableDraft *d, const AstTableElemVec *elems);
Status ddl_family_by_name(TableDraft *d, const AstColumnDef *ast, uint32_t *family);

/* ---- bind_ddl_sequence.c ---- */

Status ddl_sequence_options(Binder *b, const AstOptionVec *options, SequenceDesc *sequence, bool is_new);
void ddl_sequence_defaults(SequenceDesc *sequence, Oid type);
/* RESTART [WITH n] among the options. */
Status ddl_restart_value(Binder *b, const AstOptionVec *options, const SequenceDesc *draft, bool *restart, int64_t *value);
/* "nextval('public.t_id_seq'::regclass)" */
const char *ddl_nextval_text(Binder *b, DescId schema, const char *sequence);
/* A sequence owned by the column, and its nextval as the column's default. */
Status ddl_own_sequence(TableDraft *d, ColumnDesc *column, Oid type, const AstOptionVec *options);

/* ---- bind_ddl_index.c ---- */

/* What PRIMARY KEY, UNIQUE, INDEX and CREATE INDEX have in common. */
typedef struct IndexSpec {
    int position;
    const char *name;   /* NULL: chosen */
    bool unique, primary, is_constraint;
    bool deferrable, initially_deferred; /* a primary key: the rows lie under a hidden one */
    const AstIndexElemVec *key;
    const AstHash *hash;
    const StrVec *including;
    const AstOptionVec *options;
    const AstSplit *split;
    const AstPartitionBy *partition;
    const AstExpr *where;
    bool nulls_not_distinct;
} IndexSpec;

IndexSpec ddl_spec_of_constraint(const AstConstraint *ast);
Status ddl_spec_of_index(Binder *b, const AstIndexDef *ast, IndexSpec *spec);
/* Drafts the index; the id is `id`, or the next free one for 0. The suffix is filled by ddl_finish_indexes. *out is valid
 * until the next index is added. A primary key replaces indexes.items[0]. */
Status ddl_add_index(TableDraft *d, const IndexSpec *spec, uint32_t id, IndexDesc **out);
/* Fills the suffix of every secondary index from the primary key, and leaves out of `stored` what the key holds already. */
void ddl_finish_indexes(TableDraft *d);
/* Is any first key column without a mode HASH: yb_use_hash_splitting_by_default? */
bool ddl_hash_by_default(Binder *b);

/* ---- bind_ddl_advice.c ---- */

/* A NOTICE if the index's keys will come in order, unless rowkey.advice is off. To be called once its columns are known. */
void ddl_advise(TableDraft *d, const IndexDesc *index);
/* The function that an expression's text calls first: "nextval". *bare: and that call is all of it. */
const char *ddl_called_function(Binder *b, const char *expr, bool *bare);

/* ---- bind_ddl_hash.c ---- */

/* The bucket count of a USING HASH clause, checked: 22023, 42804. */
Status ddl_bucket_count(Binder *b, const AstHash *hash, const AstOptionVec *options, int32_t *count);
/* Name, type and expression of a bucket column, and its hidden IN list. */
ColumnDesc ddl_describe_bucket(Binder *b, const StrVec *columns, int32_t bucket_count);
CheckDesc ddl_describe_bucket_check(Binder *b, const ColumnDesc *column);
/* Finds or adds the bucket column over the named columns. Returns its ordinal. */
int ddl_bucket_column(TableDraft *d, const StrVec *columns, int32_t bucket_count);
/* Finds or adds the hash code column over the columns, in their order. */
int ddl_hash_code_column(TableDraft *d, const IntVec *ordinals);
/* The boundaries between the buckets of an index, at most 16 ranges. */
void ddl_presplit_buckets(TableDraft *d, const IndexDesc *index);

/* ---- bind_ddl_split.c ---- */

Status ddl_split_clause(TableDraft *d, IndexDesc *index, const AstSplit *split);
/* COLOCATION of WITH, and of CREATE DATABASE. *known false: the option is another one. */
Status ddl_check_colocation(Binder *b, const AstOption *option, bool *known);
Status ddl_partition_by(TableDraft *d, IndexDesc *index, const AstPartitionBy *ast);

#endif
