/* fk.h - foreign keys of one statement: the tables at both ends, and what has yet to be looked at. Inside executor/constraint.
 *
 * "Child" is the table that has the key, "parent" the one it refers to. Tuples of a key are in the order of the key's columns,
 * in the child's types unless they are said to be the parent's.
 */
#ifndef EXECUTOR_CONSTRAINT_FK_H
#define EXECUTOR_CONSTRAINT_FK_H

#include "executor/constraint/constraint.h"
#include "executor/ops/row_target.h"
#include "executor/value_set.h"
#include "planner/session.h"

typedef struct ConstraintRun ConstraintRun;
typedef struct FkTable FkTable;
typedef struct FkLink FkLink;
typedef struct FkEvents FkEvents;
typedef struct UniqueLink UniqueLink;

typedef enum FkEventKind {
    FK_CHECK,   /* a row of the child refers to something */
    FK_DELETED, /* a row of the parent is gone */
    FK_UPDATED  /* a row of the parent has another key */
} FkEventKind;
enum { FK_EVENT_KINDS = FK_UPDATED + 1 };

typedef struct FkRow {
    Value *key;     /* FK_CHECK: in the child's types; else the old key in the parent's */
    Value *new_key; /* FK_UPDATED */
    Slice row;      /* FK_CHECK: the child row's primary key */
    int64_t number; /* among all events of the statement */
} FkRow;

/* Rows that came one after the other and want the same. */
struct FkEvents {
    FkEvents *next;
    FkLink *link;
    FkEventKind kind;
    Arena *arena;
    VEC(FkRow) rows;
};

struct ConstraintRun {
    Exec *outer; /* the statement */
    Exec *exec;  /* what is evaluated for constraints; in `arena` */
    Arena *arena;
    FkTable *tables;
    FkLink *links;
    UniqueLink *uniques;
    FkEvents *first, *last;
    int64_t events;     /* so far */
    int64_t failed;     /* the event that the error is about; -1: it is about none */
    Buf row_key;        /* of the row in hand */
    bool nothing_waits; /* deferred constraints are looked at too */
    bool early;         /* although nothing waits, rows are looked up as they come */
};

/* How the start of an index's key is made from a tuple: columns in front that nobody named are computed. */
typedef struct FkKeyMaker {
    const IndexDesc *index;
    int implicit_count;
    int *implicit; /* ordinals */
    Program **programs;
    Value *row;    /* per column of the table */
} FkKeyMaker;

struct FkTable {
    FkTable *next;
    ConstraintRun *run;
    const TableDesc *table;
    TableAccess *access;
    TableConstraints *all; /* for rows that actions change */
    /* What actions write with; NULL until one does. */
    RowTarget *target;
    RowWriter *writer;
    Arena *row_arena;
    Value *before, *after;
    Expr **defaults; /* per column: bound when wanted */
};

typedef struct FkConvert {
    bool same; /* the values may be taken over */
    const TypeDef *from, *to;
    TypeRef type; /* of the target */
    CastDef there, back;
} FkConvert;

/* How rows of the child are found by their key. */
typedef struct FkSearch {
    bool known;
    FkKeyMaker maker; /* index NULL: the whole table is read */
    int prefix;       /* parts of the index's key that are known */
    bool covers;      /* the index has all columns of the key */
} FkSearch;

struct FkLink {
    FkLink *next;
    ConstraintRun *run;
    const ForeignKeyDesc *key;
    FkTable *child, *parent;
    int count;
    int *child_ordinals, *parent_ordinals;
    const TypeDef **child_types;
    Value *tuple, *new_tuple; /* of the row in hand */
    FkConvert *to_parent, *to_child;
    FkKeyMaker referenced;
    FkSearch search;
    Arena *present_arena;
    ValueSet *present; /* tuples that were found, and are kept by their locks */
    int64_t looked, known; /* rows whose keys were looked up, and rows that were in no need of it */
    FkEvents *open[FK_EVENT_KINDS];
};

struct TableConstraints {
    FkTable *table;
    FkLink **outgoing, **incoming;
    int outgoing_count, incoming_count;
    UniqueLink **uniques;
    int unique_count;
};

/* A deferrable unique index of a table, and the keys that were added. */
struct UniqueLink {
    UniqueLink *next;
    ConstraintRun *run;
    FkTable *table;
    const IndexDesc *index;
    int count;     /* declared columns */
    int *ordinals;
    Value *tuple;  /* of the row in hand */
    Arena *arena;
    VEC(Value *) tuples;
};

/* ---- fk_link.c ---- */

Status fk_table(ConstraintRun *run, const TableDesc *table, FkTable **out);
/* NULL: one of the tables is not there any more. */
Status fk_link(ConstraintRun *run, const TableDesc *child, const ForeignKeyDesc *key, FkLink **out);
Status fk_key_maker(FkTable *table, const IndexDesc *index, FkKeyMaker *maker);
/* Fills maker->row from values at these ordinals and computes the columns in front. */
Status fk_key_fill(FkTable *table, FkKeyMaker *maker, const int *ordinals, const Value *tuple, int count);
/* A tuple in the types of the other end; *possible: there are such values. */
Status fk_convert(FkLink *link, const FkConvert *converts, const Value *tuple, Value *out, bool *possible, Arena *arena);
/* The key of the parent's entry for a tuple in the parent's types. */
Status fk_referenced_key(FkLink *link, const Value *tuple, Buf *key);

/* ---- fk_queue.c ---- */

ConstraintRun *constraint_run_create(Exec *outer, Arena *arena);
/* The handle through which an action's changes of rows are told. */
Status fk_table_constraints(FkTable *table, TableConstraints **out);
/* The tuple's values are copied. new_key NULL: none. */
Status fk_event(FkLink *link, FkEventKind kind, const FkRow *row);
Status constraint_run_finish(ConstraintRun *run);

/* ---- fk_check.c ---- */

/* Looks the rows' keys up and takes out those that are there. last: what is not is an error, unless the row is gone. */
Status fk_check(FkEvents *events, bool last);

/* ---- fk_find.c ---- */

typedef struct FkFound {
    int event;
    Slice row; /* primary key */
} FkFound;
typedef VEC(FkFound) FkFoundVec;

/* The old keys of some events, in the child's types; numbers of tuples are places in `events`. */
typedef struct FkKeySet {
    ValueSet *tuples;
    IntVec events;
} FkKeySet;

Status fk_key_set(FkLink *link, const FkRow *rows, int count, FkKeySet *set, Arena *arena);
/* Rows of the child that refer to one of the keys, in the order of the events. */
Status fk_find(FkLink *link, const FkKeySet *set, FkFoundVec *found, Arena *arena);

/* ---- fk_action.c ---- */

Status fk_act(FkEvents *events);
FkAction fk_action(const FkEvents *events); /* FK_CHECK: none */

/* ---- fk_error.c ---- */

Status fk_not_present(FkLink *link, const FkRow *row);
Status fk_mixed_nulls(FkLink *link, const FkRow *row);
Status fk_still_referenced(FkLink *link, const FkRow *row);

/* ---- unique_check.c ---- */

Status unique_link(ConstraintRun *run, FkTable *table, const IndexDesc *index, UniqueLink **out);
/* A row is written; before NULL: it is new. */
Status unique_written(UniqueLink *link, const Value *before, const Value *after);
Status unique_event(UniqueLink *link, const Value *tuple);
/* Looks at all keys. */
Status unique_finish(UniqueLink *link);

/* ---- deferred.c ---- */

bool constraint_is_deferred(const Exec *exec, DescId table, uint32_t constraint, bool deferrable, bool initially_deferred);
void constraint_defer_unique(UniqueLink *link, const Value *tuple);
void constraint_defer(FkLink *link, FkEventKind kind, const FkRow *row);

#endif
