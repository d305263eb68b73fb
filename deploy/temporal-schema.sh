#!/bin/sh
# Run once a start by temporalio/admin-tools: brings both of Temporal's schemas up to this server's version. Idempotent:
# a schema that stands keeps its version, and only newer steps are taken. The password comes as SQL_PASSWORD.
set -eu

for part in temporal:temporal temporal_visibility:visibility; do
  tool="temporal-sql-tool --plugin postgres12 --ep ${SQL_HOST:-postgres} --port ${SQL_PORT:-5432} --user temporal"
  $tool --database "${part%%:*}" setup-schema --version 0.0
  $tool --database "${part%%:*}" update-schema --schema-dir "${SCHEMAS:-/etc/temporal/schema/postgresql/v12}/${part##*:}/versioned"
done
