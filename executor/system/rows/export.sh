#!/bin/bash
# Writes the rows that every PostgreSQL 15 database begins with, as COPY prints them, from the server at $1 (a conninfo
# string). What refers to types, access methods or languages that no table here can use is left out when the rows are
# read (static_rows.c), so that it comes by itself when they do.
set -e
cd "$(dirname "$0")"
export_rows() { # name, query
    psql -X -At -d "$PG" -c "COPY ($2) TO STDOUT" >"$1.tsv"
}
PG=${1:?usage: export.sh CONNINFO}
T="t.oid < 16384"
export_rows pg_type "SELECT t.oid, t.typname, CASE t.typnamespace::oid WHEN 11 THEN 11 ELSE 13 END, 10, t.typlen, t.typbyval, t.typtype, t.typcategory, t.typispreferred,
  t.typisdefined, t.typdelim, 0, t.typsubscript::oid, t.typelem, t.typarray, t.typinput::oid, t.typoutput::oid, t.typreceive::oid,
  t.typsend::oid, t.typmodin::oid, t.typmodout::oid, t.typanalyze::oid, t.typalign, t.typstorage, t.typnotnull, t.typbasetype,
  t.typtypmod, t.typndims, t.typcollation, NULL, NULL, NULL FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem
  WHERE $T AND t.typtype <> 'c' AND coalesce(e.typtype, 'b') <> 'c' ORDER BY t.oid"
export_rows pg_operator "SELECT oid, oprname, 11, 10, oprkind, oprcanmerge, oprcanhash, oprleft, oprright, oprresult, oprcom, oprnegate,
  oprcode::oid, oprrest::oid, oprjoin::oid FROM pg_operator t WHERE $T ORDER BY oid"
export_rows pg_cast "SELECT oid, castsource, casttarget, castfunc, castcontext, castmethod FROM pg_cast t WHERE $T ORDER BY oid"
export_rows pg_opfamily "SELECT oid, opfmethod, opfname, 11, 10 FROM pg_opfamily t WHERE $T AND opfmethod = 403 ORDER BY oid"
export_rows pg_opclass "SELECT oid, opcmethod, opcname, 11, 10, opcfamily, opcintype, opcdefault, opckeytype FROM pg_opclass t
  WHERE $T AND opcmethod = 403 ORDER BY oid"
export_rows pg_amop "SELECT oid, amopfamily, amoplefttype, amoprighttype, amopstrategy, amoppurpose, amopopr, amopmethod, amopsortfamily
  FROM pg_amop t WHERE $T AND amopmethod = 403 ORDER BY oid"
export_rows pg_amproc "SELECT t.oid, amprocfamily, amproclefttype, amprocrighttype, amprocnum, amproc::oid FROM pg_amproc t
  JOIN pg_opfamily f ON f.oid = amprocfamily WHERE $T AND opfmethod = 403 ORDER BY t.oid"
export_rows pg_aggregate "SELECT aggfnoid::oid, aggkind, aggnumdirectargs, aggtransfn::oid, aggfinalfn::oid, aggcombinefn::oid, aggserialfn::oid,
  aggdeserialfn::oid, aggmtransfn::oid, aggminvtransfn::oid, aggmfinalfn::oid, aggfinalextra, aggmfinalextra, aggfinalmodify,
  aggmfinalmodify, aggsortop, aggtranstype, aggtransspace, aggmtranstype, aggmtransspace, agginitval, aggminitval
  FROM pg_aggregate t WHERE aggfnoid::oid < 16384 ORDER BY aggfnoid::oid"
# The last column tells whether another row here names the function: i, a type; t, something that needs its types.
export_rows pg_proc "WITH of_type AS (SELECT unnest(ARRAY[typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze, typsubscript]::oid[]) AS p
    FROM pg_type WHERE typtype <> 'c'),
  used AS (SELECT unnest(ARRAY[oprcode, oprrest, oprjoin]::oid[]) AS p FROM pg_operator

  UNION SELECT castfunc FROM pg_cast

  UNION SELECT amproc FROM pg_amproc JOIN pg_opfamily f ON f.oid = amprocfamily WHERE opfmethod = 403
  UNION SELECT prosupport FROM pg_proc
  UNION SELECT unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn, aggmfinalfn]::oid[])
    FROM pg_aggregate
  UNION SELECT amhandler FROM pg_am WHERE amname IN ('heap', 'btree') UNION SELECT lanvalidator FROM pg_language UNION SELECT laninline FROM pg_language)
  SELECT oid, proname, CASE pronamespace::oid WHEN 11 THEN 11 ELSE 13 END, 10, prolang, procost, prorows, provariadic, prosupport::oid, prokind, prosecdef, proleakproof,
  proisstrict, proretset, provolatile, proparallel, pronargs, pronargdefaults, prorettype, proargtypes, proallargtypes, proargmodes,
  proargnames, pg_get_expr(proargdefaults, 0), NULL, prosrc, NULL, NULL, NULL, NULL, CASE WHEN oid IN (SELECT p FROM of_type) THEN 'i' WHEN oid IN (SELECT p FROM used) THEN 't' ELSE 'f' END FROM pg_proc t
  WHERE $T ORDER BY oid"
export_rows pg_timezone_abbrevs "SELECT * FROM pg_timezone_abbrevs ORDER BY 1"
