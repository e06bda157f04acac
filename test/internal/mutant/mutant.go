package mutant

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Variable is the environment variable that names the mutant to wake up.
const Variable = "GATEHOUSE_MUTANT"

// Mutant is a fault.
type Mutant struct {
	// Name describes the fault.
	Name string
	// File is the source file, relative to the module.
	File string
	// Old occurs once in the file. New replaces it; in New, MUTANT is a
	// condition that holds when the mutant is active, and PICK(a, b) is a if it
	// is active and otherwise b.
	Old, New string
}

// Fault is a Mutant on one line of a table: its name, the file, the text and
// its replacement. It is an array because go vet requires field names in
// literals of other packages' structs.
type Fault [4]string

// Mutants returns the mutants that faults are, in their order.
func Mutants(faults ...Fault) []Mutant {
	mutants := make([]Mutant, len(faults))
	for i, f := range faults {
		mutants[i] = Mutant{Name: f[0], File: f[1], Old: f[2], New: f[3]}
	}
	return mutants
}

// Overlay writes copies of the module's sources into a folder, spoiled by the
// mutants, and a file there that go build -overlay takes. It returns the path
// of that file. The error names the mutant that cannot be applied.
func Overlay(module, folder string, mutants []Mutant) (string, error) {
	module, err := filepath.Abs(module)
	if err != nil {
		return "", err
	}
	sources, packages, err := spoil(module, mutants)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	add := func(path, content string) error {
		copied := filepath.Join(folder, fmt.Sprintf("%d.go", len(replace)))
		replace[path] = copied
		return os.WriteFile(copied, []byte(content), 0o600)
	}
	for path, content := range sources {
		if err := add(path, content); err != nil {
			return "", err
		}
	}
	for dir, name := range packages {
		if err := add(filepath.Join(dir, "mutant_overlay.go"),
			fmt.Sprintf(switchboard, name, Variable)); err != nil {
			return "", err
		}
	}
	file, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, file, 0o600)
}

// switchboard is what a spoiled package has in addition.
const switchboard = `package %s

import "os"

var mutantAwake = os.Getenv(%q)

func mutant(name string) bool { return mutantAwake == name }

func mutantPick[T any](name string, spoiled, sound T) T {
	if mutant(name) {
		return spoiled
	}
	return sound
}
`

// spoil returns the spoiled sources by path, and the names of their packages by
// folder.
func spoil(module string, mutants []Mutant) (sources, packages map[string]string, err error) {
	sources, packages = map[string]string{}, map[string]string{}
	for _, m := range mutants {
		if m.Name == "" || m.Old == m.New {
			return nil, nil, fmt.Errorf("mutant %q: it needs a name, and to change something in %s", m.Name, m.File)
		}
		path := filepath.Join(module, m.File)
		source, ok := sources[path]
		if !ok {
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, nil, fmt.Errorf("mutant %q: %w", m.Name, err)
			}
			source = string(content)
		}
		if n := strings.Count(source, m.Old); n != 1 {
			return nil, nil, fmt.Errorf("mutant %q: its text is %d times in %s, not once:\n%s", m.Name, n, m.File, m.Old)
		}
		sources[path] = strings.Replace(source, m.Old, m.replacement(), 1)
		packages[filepath.Dir(path)] = packageOf(source)
	}
	return sources, packages, nil
}

func (m *Mutant) replacement() string {
	return strings.NewReplacer(
		"MUTANT", fmt.Sprintf("mutant(%q)", m.Name),
		"PICK(", fmt.Sprintf("mutantPick(%q, ", m.Name),
	).Replace(m.New)
}

// packageOf returns the name in a file's package clause.
func packageOf(source string) string {
	for line := range strings.Lines(source) {
		if name, ok := strings.CutPrefix(line, "package "); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}
