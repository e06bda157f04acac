package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// client describes a kind, from its typed client.
type client struct {
	// api is the folder of the kind's types in k8s.io/api, "core/v1".
	api      string
	name     string
	resource string
	// status and scale are the subresources that any kind may have.
	status, scale bool
}

// clients reads client-go's typed clients. The fake ones are read because they
// name kind and resource side by side.
func clients(clientGo string) ([]client, error) {
	files, err := filepath.Glob(filepath.Join(clientGo, "kubernetes/typed/*/*/fake/fake_*.go"))
	if err != nil {
		return nil, err
	}
	var found []client
	for _, file := range files {
		c, err := readClient(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if c.resource != "" {
			found = append(found, c)
		}
	}
	return found, nil
}

// readClient returns a client without a resource for files that hold none, such
// as the entry point of a group.
func readClient(file string) (client, error) {
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return client{}, err
	}
	var c client
	ast.Inspect(syntax, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			c.note(call)
		}
		return true
	})
	if c.resource == "" || c.name == "" {
		return client{}, nil
	}
	version := filepath.Dir(filepath.Dir(file))
	c.api = filepath.Join(filepath.Base(filepath.Dir(version)), filepath.Base(version))
	typed, err := os.ReadFile(filepath.Join(version, strings.TrimPrefix(filepath.Base(file), "fake_")))
	c.status = bytes.Contains(typed, []byte("\tUpdateStatus(ctx "))
	c.scale = bytes.Contains(typed, []byte("\tUpdateScale(ctx "))
	return c, err
}

// note looks for SchemeGroupVersion.WithResource("pods") and
// SchemeGroupVersion.WithKind("Pod").
func (c *client) note(call *ast.CallExpr) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	literal, ok := call.Args[0].(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		return
	}
	switch method.Sel.Name {
	case "WithResource":
		c.resource = text
	case "WithKind":
		c.name = text
	}
}
