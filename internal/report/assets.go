package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
)

//go:embed assets
var assetFiles embed.FS

// pageFiles are the files of a page.
type pageFiles struct {
	template string
	// styles are joined in their order.
	styles []string
	// script has the files of the script, in the order in which they are joined
	// to one module: each uses declarations of earlier ones.
	script []string
	// connect is the source that the script may connect to.
	connect string
}

// reportFiles are the files of a report.
func reportFiles() pageFiles {
	return pageFiles{"report", []string{"report"}, []string{
		"dom", "format", "data", "path", "item",
		"theme", "frame", "lists", "dialog", "values",
		"verdict", "policies", "timeline", "call", "skipped", "lines", "writes", "fields", "extras",
		"overview", "print", "navigate",
	}, "'none'"}
}

// outageFiles are the files of the page of outages.
func outageFiles() pageFiles {
	return pageFiles{"report", []string{"report", "outage"}, []string{
		"dom", "format", "data", "theme", "frame", "lists", "dialog", "values", "tree",
		"outcome", "matrix", "coldstart", "print", "outage",
	}, "'none'"}
}

// lintFiles are the files of the page of findings.
func lintFiles() pageFiles {
	return pageFiles{"report", []string{"report", "lint"}, []string{
		"dom", "format", "data", "theme", "frame", "lists", "values", "tree", "print", "lint",
	}, "'none'"}
}

// diffFiles are the files of the page of changes. Its causes look like findings.
func diffFiles() pageFiles {
	return pageFiles{"report", []string{"report", "lint", "diff"}, []string{
		"dom", "format", "data", "theme", "frame", "lists", "values", "print", "diff",
	}, "'none'"}
}

// auditFiles are the files of the page of audit logs. Its loops look like findings.
func auditFiles() pageFiles {
	return pageFiles{"report", []string{"report", "lint", "audit"}, []string{
		"dom", "format", "data", "theme", "frame", "lists", "values", "print", "audit",
	}, "'none'"}
}

// requestsFiles are the files of the list of requests.
func requestsFiles() pageFiles {
	return pageFiles{"requests", []string{"report"}, []string{
		"dom", "format", "data", "theme", "frame", "lists", "requests",
	}, "'self'"}
}

// assets are the fixed parts of a page.
type assets struct {
	page                   *template.Template
	style, script, connect string
}

func readAssets(files pageFiles) (*assets, error) {
	page, err := template.ParseFS(assetFiles, "assets/"+files.template+".html")
	if err != nil {
		return nil, err
	}
	style, err := joined(files.styles, "%s.css")
	if err != nil {
		return nil, err
	}
	script, err := joined(files.script, "script/%s.js")
	if err != nil {
		return nil, err
	}
	return &assets{page, style, script, files.connect}, nil
}

// joined returns some files below assets.
func joined(names []string, path string) (string, error) {
	var text strings.Builder
	for _, name := range names {
		content, err := assetFiles.ReadFile("assets/" + fmt.Sprintf(path, name))
		if err != nil {
			return "", err
		}
		text.Write(content)
		text.WriteByte('\n')
	}
	return text.String(), nil
}

// contentSecurityPolicy returns the Content-Security-Policy of the page. A
// report may contain text from an attacker. Should it become markup, it can
// neither run nor send anything to others.
func (a *assets) contentSecurityPolicy() string {
	return strings.Join([]string{
		"default-src 'none'",
		"connect-src " + a.connect,
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
