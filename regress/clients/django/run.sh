#!/bin/bash
. "$(dirname "$0")/../lib/python.sh"
run_python django django psycopg2
