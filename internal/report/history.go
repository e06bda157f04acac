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
	// Events are those of the log, one for each item.
	Events []Event `json:"events"`
}

// Event says which request of a log an item is.
type Event struct {
	Time string `json:"time"`
	// Text is what else identifies it, such as its ID.
	Text string `json:"text"`
}

// WriteHistory writes the report of a history. The errors are those of Write.
func WriteHistory(w io.Writer, h *History) error {
	if h == nil || h.Document == nil {
		return errors.New("the document is nil")
	}
	summary := summarize(h.Document)
	for i, event := range h.Events[:min(len(summary), len(h.Events))] {
		summary[i].Heading = fmt.Sprintf("%s, %s: %s", event.Time, event.Text, summary[i].Heading)
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
