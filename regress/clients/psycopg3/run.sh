#!/bin/bash
. "$(dirname "$0")/../lib/python.sh"
run_python psycopg3 psycopg
