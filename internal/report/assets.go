package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
)

//go:embed assets
var files embed.FS

// chapters are the files of the script. They become one module, in this order: each
// uses what the ones before it declare.
func chapters() []string {
	return []string{
		"dom", "format", "data", "path", "item",
		"theme", "lists", "values",
		"verdict", "timeline", "call", "skipped", "lines", "writes", "fields", "extras",
		"overview", "print", "navigate",
	}
}

// assets are the fixed parts of the page.
type assets struct {
	page          *template.Template
	style, script string
}

func readAssets() (*assets, error) {
	page, err := template.ParseFS(files, "assets/report.html")
	if err != nil {
		return nil, err
	}
	style, err := files.ReadFile("assets/report.css")
	if err != nil {
		return nil, err
	}
	var script bytes.Buffer
	for _, name := range chapters() {
		chapter, err := files.ReadFile("assets/script/" + name + ".js")
		if err != nil {
			return nil, err
		}
		script.Write(chapter)
		script.WriteByte('\n')
	}
	return &assets{page: page, style: string(style), script: script.String()}, nil
}

// policy is the Content-Security-Policy of the page. A report may hold what an
// attacker wrote into an object: even if it became markup, it could neither run nor
// send anything anywhere.
func (a *assets) policy() string {
	return strings.Join([]string{
		"default-src 'none'",
		"style-src " + source(a.style),
		"script-src " + source(a.script),
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

// source allows exactly one inline text.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:]))
}
