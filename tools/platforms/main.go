// Command platforms reports what the compiler would report about packages and their tests on
// other operating systems. It checks types only, and no function bodies of other modules, so
// that it takes a fraction of the time of go vet.
//
//	platforms [-tags TAGS] OS...
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	tags := flag.String("tags", "", "the build `tags`, separated by commas")
	flag.Parse()
	folder, err := os.Getwd()
	for _, system := range flag.Args() {
		err = errors.Join(err, check(folder, system, *tags))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check returns the errors of the packages of the module in a folder on an operating system.
func check(folder, system, tags string) error {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedModule | packages.NeedFiles |
			packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax,
		Dir: folder, Tests: true, BuildFlags: []string{"-tags=" + tags},
		Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		ParseFile: func(files *token.FileSet, name string, content []byte) (*ast.File, error) {
			file, err := parser.ParseFile(files, name, content, parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, folder+string(filepath.Separator)) {
				dropBodies(file)
			}
			return file, err
		},
	}, "./...")
	if err == nil && len(loaded) == 0 {
		err = errors.New("there are no packages")
	}
	seen := map[string]bool{}
	for _, p := range loaded {
		if strings.HasSuffix(p.PkgPath, ".test") {
			continue // the go command writes the main function of tests
		}
		for _, e := range p.Errors {
			if line := system + ": " + e.Error(); !seen[line] { // a package and its test share files
				seen[line], err = true, errors.Join(err, errors.New(line))
			}
		}
	}
	return err
}

// dropBodies removes the function bodies of a file. The errors of its package, such as imports
// that are not used, do not count.
func dropBodies(file *ast.File) {
	for _, declaration := range file.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}
