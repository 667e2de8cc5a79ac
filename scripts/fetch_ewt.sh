#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/fetch_ewt.sh FOLDER: fetches the Universal Dependencies English Web Treebank (CC BY-SA 4.0) and leaves
# FOLDER/train.tsv.gz and FOLDER/dev.tsv.gz: word, UPOS, XPOS, an empty line after each sentence.
#
# Checksums pin the converted columns (12,544 and 2,001 sentences). Unlike checksums of the CoNLL-U files, they stay the
# same when a release corrects only lemmas or syntax. The script tries releases from the newest known one backwards and
# refuses whatever does not convert to exactly these columns. FOVEA_EWT_URL overrides where releases lie.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

URL=${FOVEA_EWT_URL:-https://raw.githubusercontent.com/UniversalDependencies/UD_English-EWT}
RELEASES="r2.17 r2.16 r2.15 r2.14 r2.13"
declare -A CHECKSUM=(
  [train]=4e0fb7cfcdbf5ee51f60006614ef01fb84070d3c0118de890f027f6c5f34c2d0
  [dev]=e32fb133a579838daad7d2f0116527577132fe9ef14762ed429ad69fb1b49d8d
)

# Reads CoNLL-U on stdin; leaves out comments, ranges of multiword tokens (1-2) and empty nodes (1.1).
convert() {
  awk -F '\t' -v OFS='\t' '
    /^#/ || $1 ~ /[-.]/ { next }
    NF == 0 { print ""; next }
    { print $2, $4, $5 }'
}

# fetch PART RELEASE FOLDER: true if the release holds exactly the pinned columns. Ends the script without a network.
fetch() {
  local part=$1 release=$2 folder=$3 status=0 found
  curl -fsL --connect-timeout 10 --max-time 120 -o "$folder/$part.conllu" "$URL/$release/en_ewt-ud-$part.conllu" ||
    status=$?
  case $status in
    0) ;;
    5 | 6 | 7 | 28) die "no network: $URL cannot be reached" ;;
    *) return 1 ;;
  esac
  convert <"$folder/$part.conllu" >"$folder/$part.tsv"
  found=$(sha256sum <"$folder/$part.tsv")
  [[ ${found%% *} == "${CHECKSUM[$part]}" ]]
}

folder=${1:?usage: scripts/fetch_ewt.sh FOLDER}
ensure_packages demo
mkdir -p "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for release in $RELEASES; do
  # The small part comes first: if a release differs there, the large part is not worth fetching.
  if fetch dev "$release" "$scratch" && fetch train "$release" "$scratch"; then
    gzip -n "$scratch"/{dev,train}.tsv
    mv "$scratch"/{dev,train}.tsv.gz "$folder"
    say "fetched release $release of UD English EWT"
    exit 0
  fi
done
die "no release of UD English EWT at $URL could be fetched with the pinned content"
