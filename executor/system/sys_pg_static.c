/* Relations of pg_catalog whose rows are the same in every database: operators, casts, operator classes, aggregates. */
#include "executor/system/static_rows.h"
#include "executor/system/sys_source.h"
#include "executor/system/system.h"

static Status fill(SystemCtx *ctx, StaticTable table)
{
    Value wanted;
    if (sys_wants(ctx, 0, &wanted)) {
        const Value *row = static_find(table, (Oid)wanted.i);
        return row ? system_row(ctx, row) : ST_OK;
    }
    const StaticRows *rows = static_rows(table);
    for (int i = 0; i < rows->count; i++) TRY(system_row(ctx, static_row(rows, i)));
    return ST_OK;
}

#define FILL(name, table)                                                                                            \
    static Status fill_##name(SystemCtx *ctx)                                                                        \
    {                                                                                                                \
        return fill(ctx, table);                                                                                     \
    }
FILL(aggregate, STATIC_PG_AGGREGATE)
FILL(amop, STATIC_PG_AMOP)
FILL(amproc, STATIC_PG_AMPROC)
FILL(cast, STATIC_PG_CAST)
FILL(opclass, STATIC_PG_OPCLASS)
FILL(operator, STATIC_PG_OPERATOR)
FILL(opfamily, STATIC_PG_OPFAMILY)
FILL(timezone_abbrevs, STATIC_PG_TIMEZONE_ABBREVS)

/* clang-format off */
const SystemRelation sys_pg_static_rows[] = {
    {2600, "pg_catalog", "pg_aggregate",
     "aggfnoid regproc, aggkind \"char\", aggnumdirectargs int2, aggtransfn regproc, aggfinalfn regproc, "
     "aggcombinefn regproc, aggserialfn regproc, aggdeserialfn regproc, aggmtransfn regproc, "
     "aggminvtransfn regproc, aggmfinalfn regproc, aggfinalextra bool, aggmfinalextra bool, aggfinalmodify "
     "\"char\", aggmfinalmodify \"char\", aggsortop oid, aggtranstype oid, aggtransspace int4, "
     "aggmtranstype oid, aggmtransspace int4, agginitval text, aggminitval text",
     fill_aggregate, NULL, "aggfnoid"},
    {2602, "pg_catalog", "pg_amop",
     "oid oid, amopfamily oid, amoplefttype oid, amoprighttype oid, amopstrategy int2, amoppurpose "
     "\"char\", amopopr oid, amopmethod oid, amopsortfamily oid",
     fill_amop, NULL, "oid"},
    {2603, "pg_catalog", "pg_amproc",
     "oid oid, amprocfamily oid, amproclefttype oid, amprocrighttype oid, amprocnum int2, amproc regproc",
     fill_amproc, NULL, "oid"},
    {2605, "pg_catalog", "pg_cast",
     "oid oid, castsource oid, casttarget oid, castfunc oid, castcontext \"char\", castmethod \"char\"",
     fill_cast, NULL, "oid"},
    {2616, "pg_catalog", "pg_opclass",
     "oid oid, opcmethod oid, opcname name, opcnamespace oid, opcowner oid, opcfamily oid, opcintype oid, "
     "opcdefault bool, opckeytype oid",
     fill_opclass, NULL, "oid"},
    {2617, "pg_catalog", "pg_operator",
     "oid oid, oprname name, oprnamespace oid, oprowner oid, oprkind \"char\", oprcanmerge bool, "
     "oprcanhash bool, oprleft oid, oprright oid, oprresult oid, oprcom oid, oprnegate oid, oprcode "
     "regproc, oprrest regproc, oprjoin regproc",
     fill_operator, NULL, "oid"},
    {2753, "pg_catalog", "pg_opfamily",
     "oid oid, opfmethod oid, opfname name, opfnamespace oid, opfowner oid",
     fill_opfamily, NULL, "oid"},
    {12122, "pg_catalog", "pg_timezone_abbrevs",
     "abbrev text, utc_offset interval, is_dst bool",
     fill_timezone_abbrevs, NULL, NULL},
    {0},
};
