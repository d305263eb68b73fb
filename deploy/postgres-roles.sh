#!/bin/sh
# Run once by the Postgres image, on an empty volume: the bench's three roles with its database, and Temporal's with its
# two. Passwords come from the environment and stand in no file.
set -eu

: "${BENCH_OWNER_PASSWORD:?}" "${BENCH_WORKER_PASSWORD:?}" "${BENCH_GRADER_PASSWORD:?}" "${TEMPORAL_DB_PASSWORD:?}"

psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  -v bench_owner="$BENCH_OWNER_PASSWORD" -v bench_worker="$BENCH_WORKER_PASSWORD" \
  -v bench_grader="$BENCH_GRADER_PASSWORD" -v temporal="$TEMPORAL_DB_PASSWORD" <<'SQL'
CREATE ROLE bench_owner LOGIN PASSWORD :'bench_owner';
CREATE ROLE bench_worker LOGIN PASSWORD :'bench_worker';
CREATE ROLE bench_grader LOGIN PASSWORD :'bench_grader';
CREATE ROLE temporal LOGIN PASSWORD :'temporal';
CREATE DATABASE co_scientist OWNER bench_owner;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
-- A role sees its own databases alone.
REVOKE CONNECT ON DATABASE co_scientist, temporal, temporal_visibility FROM PUBLIC;
GRANT CONNECT ON DATABASE co_scientist TO bench_worker, bench_grader;
SQL

# Near-duplicates are found by trigrams; only a superuser adds them.
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname co_scientist -c 'CREATE EXTENSION IF NOT EXISTS pg_trgm'
# The visibility schema indexes JSON with btree_gin.
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname temporal_visibility -c 'CREATE EXTENSION IF NOT EXISTS btree_gin'
