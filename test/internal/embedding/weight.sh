#!/bin/sh
# Measures what gatehouse's plugins add to an API server: it builds the example
# as two modules, one with k8s.io/apiserver's plugins and one with gatehouse's.
# The argument is gatehouse's folder.
set -eu
repo=$1
go=${GO:-go}
plugins=k8s.io/apiserver/pkg/admission/plugin/webhook
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for side in upstream gatehouse; do
	cp -R "$repo/examples/aggregated-apiserver" "$work/$side"
	cp "$repo/go.sum" "$work/$side"
	sed 's#^module .*#module toys#' "$repo/go.mod" >"$work/$side/go.mod"
	find "$work/$side" -name '*_test.go' -delete
	find "$work/$side" -name '*.go' -exec \
		sed -i 's#example.com/gatehouse/examples/aggregated-apiserver#toys#' {} +
done

cd "$work/upstream"
sed -i -e "s#\"example.com/gatehouse/dispatcher/plugin\"#\"$plugins/mutating\"\n\t\"$plugins/validating\"#" \
	-e 's#plugin.Register(plugins)#mutating.Register(plugins); validating.Register(plugins)#' main.go
cd ../gatehouse
"$go" mod edit -require=example.com/gatehouse@v0.0.0 -replace=example.com/gatehouse="$repo"

echo 'plugins    packages  of the server  bytes      stripped   go.sum  module graph'
for side in upstream gatehouse; do
	cd "$work/$side"
	"$go" mod tidy 2>/dev/null
	"$go" build -o whole .
	"$go" build -ldflags='-s -w' -o stripped .
	case $side in
	upstream) packages="$plugins/mutating $plugins/validating" ;;
	*) packages=example.com/gatehouse/dispatcher/plugin ;;
	esac
	printf '%-10s %-9d %-14d %-10d %-10d %-7d %d\n' $side \
		"$("$go" list -deps $packages | wc -l)" "$("$go" list -deps . | wc -l)" \
		"$(wc -c <whole)" "$(wc -c <stripped)" "$(wc -l <go.sum)" "$("$go" mod graph | wc -l)"
done
