#!/bin/sh
# Run once a start by temporalio/admin-tools, when the server answers: the namespace, and the attribute by which benches
# are found. Idempotent; a bench runs without the attribute too.
set -eu

until temporal operator cluster health >/dev/null 2>&1; do sleep 1; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
# A namespace is known to all of the server some seconds after it was made.
until temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; do sleep 1; done
temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" | grep -q '\bbench_id\b' ||
  temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name bench_id --type Keyword
