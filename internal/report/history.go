package report

import (
	"errors"
	"fmt"
	"io"

	"example.com/gatehouse/dispatcher/explain"
)

// History is a document whose requests are about one object.
type History struct {
	*explain.Document
	// Title is that of the page.
	Title string `json:"-"`
	// Labels say which request of its log each item is, such as its time.
	Labels []string `json:"labels"`
}

// WriteHistory writes the report of a history. The errors are those of Write.
func WriteHistory(w io.Writer, h *History) error {
	if h == nil || h.Document == nil {
		return errors.New("a report needs a document")
	}
	summary := summarize(h.Document)
	for i := range summary[:min(len(summary), len(h.Labels))] {
		summary[i].Heading = h.Labels[i] + ": " + summary[i].Heading
	}
	page, err := reportFiles().renderData(h.Title, summary, h)
	if err != nil {
		return fmt.Errorf("cannot make a report of %d requests: %w", len(h.Items), err)
	}
	if _, err := w.Write(page); err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}
