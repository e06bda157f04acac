package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"

	"example.com/gatehouse/dispatcher/explain"
)

// page is what report.html is filled with.
type page struct {
	Policy string
	Title  string
	Style  template.CSS
	Script template.JS
	Data   template.JS
	Items  []summary
}

// Write writes the report of a document. The same document gives the same bytes. The
// document is only read.
//
// It returns the writer's error, and one for a document that is nil or that cannot be
// JSON; of such a document nothing is written.
func Write(w io.Writer, d *explain.Document) error {
	if d == nil {
		return errors.New("a report needs a document")
	}
	filled, err := fill(d)
	if err != nil {
		return fmt.Errorf("cannot make a report of %d explanations: %w", len(d.Items), err)
	}
	if _, err := w.Write(filled); err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}

func fill(d *explain.Document) ([]byte, error) {
	// Marshal escapes <, >, &, U+2028 and U+2029, also in what is JSON already: the
	// result can neither end the script element nor open a comment in it.
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	a, err := readAssets()
	if err != nil {
		return nil, err
	}
	items := summarize(d)
	var filled bytes.Buffer
	err = a.page.Execute(&filled, page{
		Policy: a.policy(),
		Title:  title(items),
		Style:  template.CSS(a.style),
		Script: template.JS(a.script),
		Data:   template.JS(data),
		Items:  items,
	})
	return filled.Bytes(), err
}
