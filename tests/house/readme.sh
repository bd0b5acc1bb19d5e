#!/bin/sh
# readme.sh POYNTING README.md: the recipe that the README shows is a valid one, and its example of a fault is as printed.
set -eu
poynting=$1 readme=$2
status=0
"$poynting" check /does/not/exist.toml >/dev/null 2>&1 || status=$?
if [ $status = 0 ] || [ $status = 2 ]; then # 2: usage
    echo "this build has no command 'check'"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sed -n '/^```toml$/,/^```$/p' "$readme" | sed '/^```/d' >pcf.toml
[ -s pcf.toml ] || { echo "no recipe in $readme"; exit 1; }
"$poynting" check pcf.toml

want=$(sed -n 's/^`\(pcf\.toml:[^`]*\)`.*/\1/p' "$readme")
sed -i 's/fwhm = "50 fs"/fwhm = "50 nm"/' pcf.toml
if "$poynting" check pcf.toml >got 2>&1; then
    echo "50 nm was taken for a time"
    exit 1
fi
grep -F -x "$want" got || { echo "the README promises: $want"; cat got; exit 1; }
