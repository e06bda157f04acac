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
var assetFiles embed.FS

// scriptFiles are the files of the script, in the order in which they are
// joined to one module: each uses declarations of earlier ones.
func scriptFiles() []string {
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
	page, err := template.ParseFS(assetFiles, "assets/report.html")
	if err != nil {
		return nil, err
	}
	style, err := assetFiles.ReadFile("assets/report.css")
	if err != nil {
		return nil, err
	}
	var script bytes.Buffer
	for _, file := range scriptFiles() {
		content, err := assetFiles.ReadFile("assets/script/" + file + ".js")
		if err != nil {
			return nil, err
		}
		script.Write(content)
		script.WriteByte('\n')
	}
	return &assets{page: page, style: string(style), script: script.String()}, nil
}

// contentSecurityPolicy returns the Content-Security-Policy of the page. A
// report may contain text from an attacker. Should it become markup, it can
// neither run nor send anything.
func (a *assets) contentSecurityPolicy() string {
	return strings.Join([]string{
		"default-src 'none'",
		"style-src " + hashSource(a.style),
		"script-src " + hashSource(a.script),
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

// hashSource returns the source expression that allows exactly one inline text.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:]))
}
