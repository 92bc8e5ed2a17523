#!/usr/bin/env bash
# The scan of the GitHub Action: annotations on standard output, a table in the job summary, SARIF in a file.
# Inputs are environment variables, so that no input becomes a part of a command line by itself.
set -euo pipefail

read -r -a paths <<<"${PEELER_PATHS:-.}"
read -r -a arguments <<<"${PEELER_ARGUMENTS:-}"
scan=(peeler scan "${paths[@]}" ${arguments[@]+"${arguments[@]}"} --exit-zero)
if [ -n "${PEELER_BASELINE:-}" ]; then
  scan+=(--baseline "$PEELER_BASELINE")
fi

annotations="$(mktemp)"
trap 'rm "$annotations"' EXIT
# The second and third scan take their results from the cache of the first.
"${scan[@]}" --format github | tee "$annotations"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  "${scan[@]}" --quiet --format github-summary >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${PEELER_SARIF:-}" ]; then
  "${scan[@]}" --quiet --format sarif --output "$PEELER_SARIF"
fi

findings="$(grep -c '^::warning ' "$annotations" || true)"
echo "findings=$findings" >>"${GITHUB_OUTPUT:-/dev/null}"
if [ "${PEELER_FAIL:-true}" = true ] && [ "$findings" -gt 0 ]; then
  echo "$findings findings" >&2
  exit 1
fi
