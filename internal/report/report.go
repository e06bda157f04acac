package report

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"

	"example.com/gatehouse/dispatcher/explain"
)

// pageData is the data of the templates; requests.html has the fixed parts only.
type pageData struct {
	Policy  string
	Title   string
	Style   template.CSS
	Script  template.JS
	Data    template.JS
	Summary []Section
}

// Write writes the report of a document. It does not change the document, and
// its output depends on nothing else.
//
// Write returns the writer's error. If the document is nil or cannot be
// encoded, it returns an error and writes nothing.
func Write(w io.Writer, d *explain.Document) error {
	if d == nil {
		return errors.New("the document is nil")
	}
	summary := summarize(d)
	page, err := reportFiles().renderData(title(summary), summary, d)
	if err != nil {
		return fmt.Errorf("cannot make a report of %d explanations: %w", len(d.Items), err)
	}
	if _, err := w.Write(page); err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}

// render returns the page with some data and the fixed parts.
func (f pageFiles) render(data pageData) ([]byte, error) {
	a, err := readAssets(f)
	if err != nil {
		return nil, err
	}
	data.Policy = a.contentSecurityPolicy()
	data.Style, data.Script = template.CSS(a.style), template.JS(a.script)
	var page bytes.Buffer
	err = a.page.Execute(&page, data)
	return page.Bytes(), err
}
