#!/bin/bash
. "$(dirname "$0")/../lib/python.sh"
run_python sqlalchemy sqlalchemy psycopg2 alembic
