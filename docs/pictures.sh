#!/bin/sh
# pictures.sh [-c POYNTING] [NAME...]: draws the pictures of docs/pictures again, from the examples; of names, those alone
# (of coherence.toml a scan of 150 runs). NAME: an example without its ending. POYNTING: the command, by default that of
# the release build.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
poynting=$top/build/release/src/cli/poynting
if [ "${1:-}" = -c ]; then
    poynting=$2
    shift 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Example, then kind=picture; without a kind the picture is called like the example and the kind.
table='
supercontinuum evolution=supercontinuum
dispersive_wave evolution spectrum spectrogram stats phase_matching dispersion
ultraviolet evolution spectrum stats phase_matching
gradient evolution spectrum temporal
rdw evolution spectrum energy_per_mode spectrogram
cluster cross_sections near_field far_field convergence
metasurface transmission cd near_field
chain bands
coherence coherence=coherence
'

draw() { # EXAMPLE FILE KIND...
    example=$1 file=$2
    shift 2
    for kind in "$@"; do
        name=${kind#*=} kind=${kind%%=*}
        [ "$name" = "$kind" ] && name=${example}_$kind
        [ "$example" = coherence ] && name=coherence
        "$poynting" -q plot "$file" "$kind" -o "$name.png" >/dev/null
        cp "$name.png" "$top/docs/pictures/$name.png"
        echo "docs/pictures/$name.png"
    done
}

echo "$table" | while read -r example kinds; do
    [ -n "$example" ] || continue
    case " ${*:-$example} " in *" $example "*) ;; *) continue ;; esac
    if [ "$example" = coherence ]; then
        "$poynting" -q scan "$top/examples/$example.toml" -o "$example.h5"
        file=$example.h5
    else
        "$poynting" -q run -s 'plots.kinds=[]' -o "$example.h5" "$top/examples/$example.toml"
        file=$example.h5
    fi
    # shellcheck disable=SC2086
    draw "$example" "$file" $kinds
done
