package structure

import (
	"slices"
	"strings"
	"testing"
)

// storeys is the level of each package of the command. A package may import
// those of lower levels only, so no command imports another.
var storeys = map[string]int{
	"command":  0,
	"complete": 0,
	"output":   1,

	"program":         1,
	"program/garbage": 0,

	// A command that compares two sides in another way has its flags, too.
	"equivalent": 1,

	"apiserver/kubeconfig": 1,
	"cluster":              1,
	"demo/server":          1,
	"examine":              1,
	"recorded":             1,
	"serve/options":        1,
	"totals":               1,
}

// roof is the storey of the packages that are not in the table: one for each
// command.
const roof = 2

// storey returns that of a package of the command; false if it is none, or the
// root, which may import all of them.
func storey(name string) (int, bool) {
	within, ok := strings.CutPrefix(name, "internal/cli/")
	if !ok {
		return 0, false
	}
	if storey, ok := storeys[within]; ok {
		return storey, true
	}
	return roof, true
}

func TestCommandImportsRunDown(t *testing.T) {
	packages := list(t)
	for name := range storeys {
		if _, ok := packages["internal/cli/"+name]; !ok {
			t.Errorf("%s is in the table but not in the module", name)
		}
	}
	for name, p := range packages {
		above, ok := storey(name)
		if !ok {
			continue
		}
		for _, path := range p.Imports {
			if below, ok := storey(short(path)); ok && below >= above {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// TestOneCommandLinksAServer keeps API servers out of the other commands, and
// out of their tests, which would take long to link.
func TestOneCommandLinksAServer(t *testing.T) {
	const apiserver = module + "/internal/apiserver"
	packages := list(t)
	for name, p := range packages {
		if !isUnder(name, "internal/cli") || name == "internal/cli/apiserver" {
			continue
		}
		deps := p.Deps
		for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
			deps = slices.Concat(deps, []string{path}, packages[short(path)].Deps)
		}
		for _, dep := range deps {
			if isUnder(dep, apiserver) {
				t.Errorf("%s or its test links %s", name, dep)
			}
		}
	}
}
