//////////////////////// Key space: SPLIT, PARTITION BY, SPLIT AT, SCATTER, zones ////////////////////////
%type split {AstSplit}
split(A) ::= SPLIT(T) INTO plain(N) TABLETS. { A = (AstSplit){true, T.position, N, {0}}; }
split(A) ::= SPLIT(T) AT VALUES LP split_rows(R) RP. { A = (AstSplit){true, T.position, NULL, R}; }
%type split_rows {AstExprRows}
split_rows(A) ::= LP expr_list(L) RP. { LIST(A, *build_bounds(&L)); }
split_rows(A) ::= split_rows(A) COMMA LP expr_list(L) RP. { PUSH(A, *build_bounds(&L)); }

%type partition_by {AstPartitionBy}
partition_by(A) ::= PARTITION(T) BY partition_spec(S). { A = build_partition_by(&T, S, false); }
partition_by(A) ::= PARTITION(T) ALL BY partition_spec(S). { A = build_partition_by(&T, S, true); }
%type partition_spec {AstPartitionBy}
partition_spec(A) ::= partition_kind(K) LP index_elems(L) RP. { A = (AstPartitionBy){.by = K, .keys = L}; }
partition_spec(A) ::= partition_kind(K) LP index_elems(L) RP LP partitions(N) RP. { A = build_partitions(K, &L, &N); }
partition_spec(A) ::= NOTHING. { A = (AstPartitionBy){.by = AST_PARTITION_NOTHING}; }
%type partition_kind {AstPartitionKind}
partition_kind(A) ::= LIST. { A = AST_PARTITION_LIST; }
partition_kind(A) ::= RANGE. { A = AST_PARTITION_RANGE; }
partition_kind(A) ::= HASH. { A = AST_PARTITION_HASH; }
%type partitions {AstPartitionVec}
partitions(A) ::= partition(N). { LIST(A, N); }
partitions(A) ::= partitions(A) COMMA partition(N). { PUSH(A, N); }
%type partition {AstPartition *}
partition(A) ::= PARTITION colid(N) VALUES IN LP expr_list(L) RP sub_partition(S). { A = build_list_partition(p, &N, &L, &S); }
partition(A) ::= PARTITION colid(N) VALUES FROM LP expr_list(F) RP TO LP expr_list(T) RP sub_partition(S). { A = build_range_partition(p, &N, &F, &T, &S); }
%type sub_partition {AstPartitionBy}
sub_partition(A) ::= . { NONE(A); }
sub_partition(A) ::= partition_by(A).
%type partition_bound {AstPartitionBound}
partition_bound(A) ::= DEFAULT. { A = (AstPartitionBound){.present = true, .is_default = true}; }
partition_bound(A) ::= FOR VALUES IN LP expr_list(L) RP. { A = (AstPartitionBound){.present = true, .by = AST_PARTITION_LIST, .values = *build_bounds(&L)}; }
partition_bound(A) ::= FOR VALUES FROM LP expr_list(F) RP TO LP expr_list(T) RP. { A = (AstPartitionBound){.present = true, .by = AST_PARTITION_RANGE, .from = *build_bounds(&F), .to = *build_bounds(&T)}; }
partition_bound(A) ::= FOR VALUES WITH LP modulus_list(L) RP. { A = (AstPartitionBound){.present = true, .by = AST_PARTITION_HASH, .modulus = L}; }
%type modulus_list {AstOptionVec}
modulus_list(A) ::= modulus(O). { LIST(A, O); }
modulus_list(A) ::= modulus_list(A) COMMA modulus(O). { PUSH(A, O); }
%type modulus {AstOption}
modulus(A) ::= ID(N) INTEGER_LITERAL(V). { A = build_option(p, &N, build_literal(p, AST_LITERAL_INT, &V)); }

%type key_space_target {KeySpaceTarget}
key_space_target(A) ::= TABLE if_exists qualified(N). { A = build_table_target(&N); }
key_space_target(A) ::= INDEX if_exists index_name(N). { A = build_index_target_name(&N); }
stmt(A) ::= ALTER(T) key_space_target(K) SPLIT AT select(S). { A = build_split_at(p, &T, &K, S, NULL); }
stmt(A) ::= ALTER(T) key_space_target(K) SPLIT AT select(S) WITH EXPIRATION expr(E). { A = build_split_at(p, &T, &K, S, E); }
stmt(A) ::= ALTER(T) key_space_target(K) UNSPLIT AT select(S). { A = build_unsplit_at(p, &T, &K, S); }
stmt(A) ::= ALTER(T) key_space_target(K) UNSPLIT ALL. { A = build_unsplit_at(p, &T, &K, NULL); }
stmt(A) ::= ALTER(T) key_space_target(K) SCATTER. { A = build_scatter(p, &T, &K, NULL, NULL); }
stmt(A) ::= ALTER(T) key_space_target(K) SCATTER FROM LP scatter_bound(F) RP TO LP scatter_bound(L) RP. { A = build_scatter(p, &T, &K, &F, &L); }
stmt(A) ::= ALTER(T) key_space_target(K) relocate relocate_what(W) select(S). { A = build_relocate(p, &T, &K, W, S); }
%type scatter_bound {AstExprVec}
scatter_bound(A) ::= . { NONE(A); }
scatter_bound(A) ::= expr_list(A).
relocate ::= RELOCATE.
relocate ::= EXPERIMENTAL_RELOCATE.
relocate ::= TESTING_RELOCATE.
%type relocate_what {AstRelocateKind}
relocate_what(A) ::= . { A = AST_RELOCATE_VOTERS; }
relocate_what(A) ::= VOTERS. { A = AST_RELOCATE_VOTERS; }
relocate_what(A) ::= NONVOTERS. { A = AST_RELOCATE_NONVOTERS; }
relocate_what(A) ::= LEASE. { A = AST_RELOCATE_LEASE; }
stmt(A) ::= ALTER(T) RANGE signed_number(N) relocate LEASE TO expr(E). { A = build_relocate_range(p, &T, N, AST_RELOCATE_LEASE, NULL, E); }
stmt(A) ::= ALTER(T) RANGE signed_number(N) relocate relocate_what(W) FROM option_value(F) TO expr(E). { A = build_relocate_range(p, &T, N, W, F, E); }
stmt(A) ::= ALTER(T) RANGE relocate LEASE TO expr(E) FOR select(S). { A = build_relocate_for(p, &T, AST_RELOCATE_LEASE, NULL, E, S); }
stmt(A) ::= ALTER(T) RANGE relocate relocate_what(W) FROM option_value(F) TO expr(E) FOR select(S). { A = build_relocate_for(p, &T, W, F, E, S); }

stmt(A) ::= ALTER(T) key_space_target(K) CONFIGURE ZONE zone_change(Z). { A = build_configure_zone(p, &T, &K, Z); }
stmt(A) ::= ALTER(T) DATABASE qualified(N) CONFIGURE ZONE zone_change(Z). { A = build_configure_named(p, &T, AST_OBJECT_DATABASE, &N, Z); }
stmt(A) ::= ALTER(T) RANGE zone_range(N) CONFIGURE ZONE zone_change(Z). { A = build_configure_named(p, &T, AST_OBJECT_OTHER, &N, Z); }
%type zone_range {AstName}
zone_range(A) ::= qualified(A).
zone_range(A) ::= DEFAULT(N). { A = build_name(p, &N, NULL, NULL); }
%type zone_change {AstConfigureZone *}
zone_change(A) ::= USING zone_list(L). { A = build_zone_change(p, &L); }
zone_change(A) ::= USING DEFAULT. { A = build_zone_change(p, NULL); }
zone_change(A) ::= DISCARD. { A = build_zone_change(p, NULL); }
%type zone_list {AstOptionVec}
zone_list(A) ::= zone_option(O). { LIST(A, O); }
zone_list(A) ::= zone_list(A) COMMA zone_option(O). { PUSH(A, O); }
%type zone_option {AstOption}
zone_option(A) ::= setting_name(N) EQ expr(E). { A = build_option(p, &N, E); }
zone_option(A) ::= setting_name(N) EQ COPY FROM PARENT. { A = build_option(p, &N, NULL); }

// What a table would be like. Options: NODES, ROWS, RANGE_MAX_BYTES, in any order.
stmt(A) ::= FORECAST(T) TABLE qualified(N) LP table_elems_opt(L) RP table_tail(X) FROM LP select(S) RP forecast_options(O). { A = build_forecast(p, &T, build_create_table(p, &T, AST_PERMANENT, false, &N, build_table_elems(X, &L)), S, &O); }
%type forecast_options {AstOptionVec}
forecast_options(A) ::= . { NONE(A); }
forecast_options(A) ::= forecast_options(A) nonreserved(N) INTEGER_LITERAL(V). { AstOption option = build_option(p, &N, build_literal(p, AST_LITERAL_INT, &V)); PUSH(A, option); }
