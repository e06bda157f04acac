package doctest

import (
	"os"
	"path/filepath"
	"regexp"
)

// Test is a test or a fuzz target.
type Test struct {
	// Package is the folder, relative to the module.
	Package string
	// Name is that of the function.
	Name string
}

// String returns the test as pages name it.
func (t Test) String() string { return t.Package + "." + t.Name }

var named = regexp.MustCompile("`([a-z/]+)\\.((?:Test|Fuzz)[A-Za-z0-9]+)`")

// In returns the tests that a page names, as `folder.TestName`.
func In(page []byte) []Test {
	var tests []Test
	for _, found := range named.FindAllStringSubmatch(string(page), -1) {
		tests = append(tests, Test{found[1], found[2]})
	}
	return tests
}

// Exists reports whether a test file in the folder, below the module's, has the
// function.
func (t Test) Exists(module string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(module, t.Package, "*_test.go"))
	if err != nil {
		return false, err
	}
	declared := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(t.Name) + `\(`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		if declared.Match(source) {
			return true, nil
		}
	}
	return false, nil
}
