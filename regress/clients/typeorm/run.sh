#!/bin/bash
. "$(dirname "$0")/../lib/npm.sh"
run_npm typeorm
