/* utility_ddl.h - bound DDL, as executor/ddl runs it.
 *
 * The binder drafts whole descriptors: a new object has base.id 0 until the executor gives it one, a changed one is a
 * copy (`after`) of what was found (`before`), with all ids inside the table final. What must happen to stored rows is a list
 * of steps. The executor takes its locks, checks that `before` is still the newest version (else 40001: bind again),
 * puts the drafts and works off the steps.
 */
#ifndef PLANNER_UTILITY_DDL_H
#define PLANNER_UTILITY_DDL_H

#include "planner/plan.h"
#include "planner/utility.h"

/* NOTICEs to be sent when the statement has run. */
typedef struct DdlNotice {
    SqlState code;
    const char *text, *detail, *hint; /* detail, hint NULL: none */
} DdlNotice;
typedef VEC(DdlNotice) NoticeVec;

/* A change of a descriptor that touches no stored rows. */
typedef struct DescChange {
    const Desc *before;
    Desc *after;
} DescChange;

/* CREATE DATABASE, SCHEMA, VIEW, SEQUENCE, TYPE, ROLE. A database gets its schema public along with it. */
typedef struct UtilityCreate {
    PlanUtility base;
    Desc *draft;
    const char *password; /* CREATE ROLE: as written; the executor makes the verifier. NULL: none */
    VEC(DescChange) changes; /* roles whose last membership is to be of the new one */
    NoticeVec notices;
} UtilityCreate;

/* The start of a range inside an index, wanted from the outset: hash buckets, SPLIT INTO, SPLIT AT VALUES. */
typedef struct IndexSplit {
    uint32_t index_id;
    Value *values; /* in key order; fewer than the key has are a prefix */
    int count;
    bool behind;   /* MAXVALUE: behind all keys that start so */
    bool lasting;  /* SPLIT clauses stay; buckets may merge once the table is old */
} IndexSplit;
typedef VEC(IndexSplit) IndexSplitVec;

/* A sequence that a column owns: created with it, its id put into the column. */
typedef struct OwnedSequence {
    SequenceDesc *draft;
    uint32_t column_id;
} OwnedSequence;
typedef VEC(OwnedSequence) OwnedSequenceVec;

typedef struct UtilityCreateTable {
    PlanUtility base;
    TableDesc *draft;
    OwnedSequenceVec sequences;
    IndexSplitVec splits;
    NoticeVec notices;
} UtilityCreateTable;

/* CREATE TABLE AS, SELECT INTO. The query's columns are the draft's first columns. */
typedef struct UtilityCreateTableAs {
    PlanUtility base;
    TableDesc *draft;
    PlannedStmt *query;
    bool with_data;
    const TableDesc *refreshed; /* REFRESH: the materialized view as it is; the draft has its id. NULL: a new table */
    bool concurrently;          /* its readers go on */
} UtilityCreateTableAs;

typedef enum AlterStepKind {
    ALTER_STEP_BACKFILL_INDEX,   /* fill index `id` of after */
    ALTER_STEP_CLEAR_INDEX,      /* delete the pairs of index `id` of before */
    ALTER_STEP_REWRITE,          /* every row is read as before and written as after, all of whose indexes have new ids */
    ALTER_STEP_VALIDATE_CHECK,   /* 23514 if a row violates check `id` of after */
    ALTER_STEP_VALIDATE_FOREIGN_KEY, /* 23503 if a row refers to what is not there */
    ALTER_STEP_VALIDATE_UNIQUE,  /* 23505 if a key of the deferrable index `id` of after is there twice */
    ALTER_STEP_VALIDATE_NOT_NULL,/* 23502 if column `id` of before holds a NULL */
    ALTER_STEP_DROP_SEQUENCE     /* descriptor `id` */
} AlterStepKind;

typedef struct AlterStep {
    AlterStepKind kind;
    uint32_t id;
} AlterStep;

/* A rewritten column whose values are computed from the old row: ALTER COLUMN TYPE ... USING, a new column's default. */
typedef struct RewriteColumn {
    uint32_t column_id;  /* in after */
    const char *expr;    /* SQL over before's columns, of the new type */
} RewriteColumn;

/* ALTER COLUMN ... SET GENERATED, RESTART: of a sequence that a column owns. */
typedef struct SequenceChange {
    const SequenceDesc *after;
    bool restart;
    int64_t restart_value;
} SequenceChange;

typedef VEC(DescChange) ViewChangeVec; /* views whose text follows a renaming: refused if it cannot be bound then */

/* ALTER TABLE, CREATE INDEX, DROP INDEX, and COMMENT and RENAME of a table's parts. */
typedef struct UtilityAlterTable UtilityAlterTable;
struct UtilityAlterTable {
    PlanUtility base;
    const TableDesc *before;
    TableDesc *after;
    VEC(AlterStep) steps;
    VEC(RewriteColumn) rewrite;
    VEC(SequenceChange) sequence_changes;
    ViewChangeVec views;
    OwnedSequenceVec sequences;
    IndexSplitVec splits;
    NoticeVec notices;
    UtilityAlterTable *next; /* DROP INDEX of several tables; NULL: no more */
};

/* What must not be among stored rows: a row of the query is the error. */
typedef struct DomainProbe {
    PlannedStmt *query;
    SqlState code;
    const char *message;
} DomainProbe;

/* ALTER of anything but a table, RENAME, OWNER, COMMENT, OR REPLACE. */
typedef struct UtilityChange {
    PlanUtility base;
    VEC(DescChange) changes;
    ViewChangeVec views;
    VEC(DomainProbe) probes; /* ALTER DOMAIN */
    bool restart; /* ALTER SEQUENCE ... RESTART */
    int64_t restart_value;
    const char *password; /* ALTER ROLE; NULL: unchanged */
    NoticeVec notices;
} UtilityChange;

/* Everything that goes, CASCADE worked out: descriptors by id, and tables that lose a constraint or a default. */
typedef struct UtilityDrop {
    PlanUtility base;
    VEC(const Desc *) objects; /* a schema's and a database's contents come before it */
    VEC(DescChange) changes;
    NoticeVec notices;
} UtilityDrop;

typedef struct UtilityTruncate {
    PlanUtility base;
    VEC(const TableDesc *) tables;
    VEC(const SequenceDesc *) restart;
    NoticeVec notices;
} UtilityTruncate;

/* ANALYZE, VACUUM ANALYZE. A table with no columns listed: all of them. */
typedef struct AnalyzeTarget {
    const TableDesc *table;
    IntVec columns; /* ids */
} AnalyzeTarget;
typedef struct UtilityAnalyze {
    PlanUtility base;
    VEC(AnalyzeTarget) targets;
    NoticeVec notices;
} UtilityAnalyze;

typedef struct UtilityLockTable {
    PlanUtility base;
    VEC(const TableDesc *) tables;
    TableLockMode mode;
    LockWait wait;
} UtilityLockTable;

#endif
