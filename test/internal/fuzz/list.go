package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// target is a fuzz target.
type target struct {
	// pkg is the import path of its package, and short what it is below the
	// module.
	pkg, short string
	name       string
}

// String names the target, as the table and -targets do.
func (t target) String() string { return t.short + "." + t.name }

// listed is the output of go list for a package.
type listed struct {
	Dir, ImportPath           string
	Module                    struct{ Path string }
	TestGoFiles, XTestGoFiles []string
}

// list returns the targets of all packages of the module, sorted by package.
// Modules below it are none of it, and files that build tags leave out are none
// either.
func (s *settings) list(ctx context.Context) ([]target, error) {
	command := exec.CommandContext(ctx, s.command, "list",
		"-json=Dir,ImportPath,Module,TestGoFiles,XTestGoFiles", "./...")
	command.Dir = s.folder
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var targets []target
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return targets, nil
		}
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		of, err := p.targets()
		if err != nil {
			return nil, err
		}
		targets = append(targets, of...)
	}
}

// targets reads the test files of a package.
func (p *listed) targets() ([]target, error) {
	var found []target
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		file, err := parser.ParseFile(
			token.NewFileSet(),
			filepath.Join(p.Dir, name),
			nil,
			parser.SkipObjectResolution,
		)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && isTarget(f) {
				short := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
				found = append(found, target{pkg: p.ImportPath, short: short, name: f.Name.Name})
			}
		}
	}
	return found, nil
}

// isTarget reports whether go test takes a function for a fuzz target, which it
// judges by its name. One with other parameters would not compile.
func isTarget(f *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(f.Name.Name, "Fuzz")
	lower := rest != "" && rest[0] >= 'a' && rest[0] <= 'z'
	return ok && f.Recv == nil && !lower
}
