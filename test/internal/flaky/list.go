package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// tested is a package that has tests.
type tested struct{ path, folder string }

// list returns the packages of the modules whose import paths match a pattern,
// at least one.
func (s *settings) list(ctx context.Context, modules []string, pattern string) ([]tested, error) {
	matches, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("-packages: %w", err)
	}
	var found []tested
	for _, module := range modules {
		const format = "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"
		command := exec.CommandContext(ctx, s.command, "list", "-f", format, "./...")
		command.Dir = module
		out, err := command.Output()
		if err != nil {
			return nil, fmt.Errorf("go list in %s: %w", module, err)
		}
		for line := range strings.Lines(string(out)) {
			path, folder, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if matches.MatchString(path) {
				found = append(found, tested{path, folder})
			}
		}
	}
	if len(found) == 0 {
		return nil, errors.New("-packages selects no package with tests")
	}
	return found, nil
}
