--
-- PostgreSQL database dump
--

\restrict 2QCIaFKtWV9MZxb35wva5axwhpz3gauqLet3lzQRo5xfEgFnbtdSI4u1QMBFCyr

-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: App 2; Type: SCHEMA; Schema: -; Owner: postgres
--

CREATE SCHEMA "App 2";


ALTER SCHEMA "App 2" OWNER TO postgres;

--
-- Name: zip; Type: DOMAIN; Schema: App 2; Owner: postgres
--

CREATE DOMAIN "App 2".zip AS character varying(10) NOT NULL DEFAULT '00000'::character varying
	CONSTRAINT zip_check CHECK (((VALUE)::text ~ '^[0-9]+$'::text))
	CONSTRAINT zip_check1 CHECK ((length((VALUE)::text) > 3));


ALTER DOMAIN "App 2".zip OWNER TO postgres;

--
-- Name: posint; Type: DOMAIN; Schema: public; Owner: postgres
--

CREATE DOMAIN public.posint AS integer
	CONSTRAINT positive CHECK ((VALUE > 0));


ALTER DOMAIN public.posint OWNER TO postgres;

--
-- Name: DOMAIN posint; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON DOMAIN public.posint IS 'a domain';


--
-- Name: CONSTRAINT positive ON DOMAIN posint; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON CONSTRAINT positive ON DOMAIN public.posint IS 'domain constraint';


--
-- Name: small; Type: DOMAIN; Schema: public; Owner: postgres
--

CREATE DOMAIN public.small AS public.posint
	CONSTRAINT small_check CHECK (((VALUE)::integer < 100));


ALTER DOMAIN public.small OWNER TO postgres;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: Weird "name; Type: TABLE; Schema: App 2; Owner: postgres
--

CREATE TABLE "App 2"."Weird ""name" (
    "Select" integer,
    "a b" text DEFAULT 'it''s'::text,
    uniq integer
);


ALTER TABLE "App 2"."Weird ""name" OWNER TO postgres;

--
-- Name: parent; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.parent (
    a integer NOT NULL,
    b text NOT NULL,
    c integer NOT NULL
);


ALTER TABLE public.parent OWNER TO postgres;

--
-- Name: empty_mat; Type: MATERIALIZED VIEW; Schema: App 2; Owner: postgres
--

CREATE MATERIALIZED VIEW "App 2".empty_mat AS
 SELECT parent.a
   FROM public.parent
  WITH NO DATA;


ALTER TABLE "App 2".empty_mat OWNER TO postgres;

--
-- Name: seq; Type: SEQUENCE; Schema: App 2; Owner: postgres
--

CREATE SEQUENCE "App 2".seq
    AS integer
    START WITH 50
    INCREMENT BY -2
    MINVALUE -1000
    MAXVALUE 100
    CACHE 1
    CYCLE;


ALTER TABLE "App 2".seq OWNER TO postgres;

--
-- Name: SEQUENCE seq; Type: COMMENT; Schema: App 2; Owner: postgres
--

COMMENT ON SEQUENCE "App 2".seq IS 'sequence';


--
-- Name: child; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.child (
    id integer NOT NULL,
    a integer,
    b text,
    c integer,
    d integer DEFAULT (1 + 2),
    e timestamp with time zone DEFAULT '2026-01-01 00:00:00+00'::timestamp with time zone,
    g text GENERATED ALWAYS AS ((upper(b) || 'x'::text)) STORED,
    CONSTRAINT big CHECK (((c > 0) AND (b <> 'x'::text)))
);


ALTER TABLE public.child OWNER TO postgres;

--
-- Name: TABLE child; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON TABLE public.child IS 'a child';


--
-- Name: COLUMN child.a; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON COLUMN public.child.a IS 'col ''a''';


--
-- Name: vw; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.vw AS
 SELECT c.id,
    p.b AS pb
   FROM (public.child c
     JOIN public.parent p ON ((p.c = c.c)))
  WHERE (c.id > 0);


ALTER TABLE public.vw OWNER TO postgres;

--
-- Name: VIEW vw; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON VIEW public.vw IS 'view';


--
-- Name: v2; Type: VIEW; Schema: App 2; Owner: postgres
--

CREATE VIEW "App 2".v2 AS
 SELECT vw.id,
    vw.pb
   FROM public.vw;


ALTER TABLE "App 2".v2 OWNER TO postgres;

--
-- Name: child_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.child_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.child_id_seq OWNER TO postgres;

--
-- Name: child_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.child_id_seq OWNED BY public.child.id;


--
-- Name: domained; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.domained (
    id public.posint NOT NULL,
    z "App 2".zip,
    s public.small DEFAULT 7,
    tags public.posint[],
    n text,
    p public.posint,
    CONSTRAINT fewer CHECK (((s)::integer < (id)::integer))
);


ALTER TABLE public.domained OWNER TO postgres;

--
-- Name: CONSTRAINT fewer ON domained; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON CONSTRAINT fewer ON public.domained IS 'check';


--
-- Name: every; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.every (
    id bigint NOT NULL,
    b boolean,
    i2 smallint,
    i4 integer,
    i8 bigint,
    f4 real,
    f8 double precision,
    n numeric,
    n2 numeric(10,2),
    t text,
    v character varying(20),
    vv character varying,
    c character(5),
    by bytea,
    d date,
    tm time without time zone,
    tz time with time zone,
    ts timestamp without time zone,
    tst timestamp with time zone,
    ts3 timestamp(3) without time zone,
    iv interval,
    u uuid,
    j json,
    jb jsonb,
    ai integer[],
    atx text[],
    an numeric(5,1)[],
    nm name,
    o oid
);


ALTER TABLE public.every OWNER TO postgres;

--
-- Name: every_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

ALTER TABLE public.every ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.every_id_seq
    START WITH 10
    INCREMENT BY 3
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: mat; Type: MATERIALIZED VIEW; Schema: public; Owner: postgres
--

CREATE MATERIALIZED VIEW public.mat AS
 SELECT domained.id,
    domained.n
   FROM public.domained
  WHERE ((domained.id)::integer > 20)
  WITH NO DATA;


ALTER TABLE public.mat OWNER TO postgres;

--
-- Name: MATERIALIZED VIEW mat; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON MATERIALIZED VIEW public.mat IS 'materialized';


--
-- Name: nopk; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.nopk (
    x integer,
    y text
);


ALTER TABLE public.nopk OWNER TO postgres;

--
-- Name: child id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.child ALTER COLUMN id SET DEFAULT nextval('public.child_id_seq'::regclass);


--
-- Data for Name: Weird "name; Type: TABLE DATA; Schema: App 2; Owner: postgres
--

COPY "App 2"."Weird ""name" ("Select", "a b", uniq) FROM stdin;
1	q	2
\.


--
-- Data for Name: child; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.child (id, a, b, c, d, e) FROM stdin;
1	2	y	10	3	2026-01-01 00:00:00+00
2	2	y	20	3	2026-01-01 00:00:00+00
\.


--
-- Data for Name: domained; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.domained (id, z, s, tags, n, p) FROM stdin;
20	12345	3	{1,2}	a	\N
30	00000	7	\N	b	20
\.


--
-- Data for Name: every; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.every (id, b, i2, i4, i8, f4, f8, n, n2, t, v, vv, c, by, d, tm, tz, ts, tst, ts3, iv, u, j, jb, ai, atx, an, nm, o) FROM stdin;
10	t	1	-2	3	1.5	2.25	123456789012345678901234567890.123	12.35	tab\tnew\nline\\ back	var	x	ab   	\\xdeadbeef	2020-02-29	12:34:56.789	12:34:56+02	2020-01-01 10:00:00.123456	2020-01-01 05:00:00+00	2020-01-01 10:00:00.124	1 year 2 days 03:04:05	00000000-0000-0000-0000-000000000001	{"a": [1, 2]}	{"b": 1}	{1,NULL,3}	{a,"b c","quo\\"te",NULL}	{1.5,2.5}	nm	42
13	\N	\N	\N	\N	NaN	Infinity	NaN	\N			\N	     	\N	infinity	\N	\N	-infinity	infinity	\N	-1 mons	\N	\N	null	{}	{{a,b},{c,d}}	\N	\N	\N
\.


--
-- Data for Name: nopk; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.nopk (x, y) FROM stdin;
1	a
1	a
\.


--
-- Data for Name: parent; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.parent (a, b, c) FROM stdin;
1	x	10
2	y	20
\.


--
-- Name: seq; Type: SEQUENCE SET; Schema: App 2; Owner: postgres
--

SELECT pg_catalog.setval('"App 2".seq', 50, true);


--
-- Name: child_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.child_id_seq', 77, true);


--
-- Name: every_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.every_id_seq', 13, true);


--
-- Name: Weird "name Weird "name_uniq_key; Type: CONSTRAINT; Schema: App 2; Owner: postgres
--

ALTER TABLE ONLY "App 2"."Weird ""name"
    ADD CONSTRAINT "Weird ""name_uniq_key" UNIQUE (uniq);


--
-- Name: child child_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.child
    ADD CONSTRAINT child_pkey PRIMARY KEY (id);


--
-- Name: domained domained_n_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domained
    ADD CONSTRAINT domained_n_key UNIQUE (n);


--
-- Name: domained domained_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domained
    ADD CONSTRAINT domained_pkey PRIMARY KEY (id);


--
-- Name: CONSTRAINT domained_pkey ON domained; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON CONSTRAINT domained_pkey ON public.domained IS 'key';


--
-- Name: every every_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.every
    ADD CONSTRAINT every_pkey PRIMARY KEY (id);


--
-- Name: parent parent_c_key; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.parent
    ADD CONSTRAINT parent_c_key UNIQUE (c);


--
-- Name: parent parent_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.parent
    ADD CONSTRAINT parent_pkey PRIMARY KEY (a, b);


--
-- Name: child_expr; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX child_expr ON public.child USING btree (lower(b), ((a + c)));


--
-- Name: INDEX child_expr; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON INDEX public.child_expr IS 'idx';


--
-- Name: child_inc; Type: INDEX; Schema: public; Owner: postgres
--

CREATE UNIQUE INDEX child_inc ON public.child USING btree (d, id) INCLUDE (e);


--
-- Name: child_partial; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX child_partial ON public.child USING btree (b, c DESC NULLS LAST) WHERE (c > 3);


--
-- Name: child_pat; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX child_pat ON public.child USING btree (b text_pattern_ops);


--
-- Name: domained_pat; Type: INDEX; Schema: public; Owner: postgres
--

CREATE INDEX domained_pat ON public.domained USING btree (n varchar_pattern_ops DESC, z);


--
-- Name: mat_id; Type: INDEX; Schema: public; Owner: postgres
--

CREATE UNIQUE INDEX mat_id ON public.mat USING btree (id);


--
-- Name: child child_a_b_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.child
    ADD CONSTRAINT child_a_b_fkey FOREIGN KEY (a, b) REFERENCES public.parent(a, b) ON UPDATE CASCADE ON DELETE SET NULL;


--
-- Name: child child_c_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.child
    ADD CONSTRAINT child_c_fkey FOREIGN KEY (c) REFERENCES public.parent(c) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;


--
-- Name: domained domained_p_fkey; Type: FK CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.domained
    ADD CONSTRAINT domained_p_fkey FOREIGN KEY (p) REFERENCES public.domained(id);


--
-- Name: CONSTRAINT domained_p_fkey ON domained; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON CONSTRAINT domained_p_fkey ON public.domained IS 'foreign key';


--
-- Name: mat; Type: MATERIALIZED VIEW DATA; Schema: public; Owner: postgres
--

REFRESH MATERIALIZED VIEW public.mat;


--
-- PostgreSQL database dump complete
--

\unrestrict 2QCIaFKtWV9MZxb35wva5axwhpz3gauqLet3lzQRo5xfEgFnbtdSI4u1QMBFCyr

