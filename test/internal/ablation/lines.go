package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// lines returns how many lines an optimisation's code has, with comments.
func (o *optimisation) lines(module string) (int, error) {
	total := 0
	for _, part := range o.code {
		file, function, _ := strings.Cut(part, ":")
		n, err := linesOf(filepath.Join(module, file), function)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", o.name, err)
		}
		total += n
	}
	return total, nil
}

// linesOf returns how many lines a function has, or a file if function is
// empty.
func linesOf(path, function string) (int, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
	if err != nil {
		return 0, err
	}
	if function == "" {
		return files.File(file.Pos()).LineCount(), nil
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != function {
			continue
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		return files.Position(f.End()).Line - files.Position(start).Line + 1, nil
	}
	return 0, fmt.Errorf("%s has no function %s", path, function)
}
