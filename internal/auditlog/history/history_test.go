package history_test

import (
	"context"
	"strings"
	"testing"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// entriesOf returns the requests in a log for an object.
func entriesOf(t *testing.T, log, object string, options ...explain.Option) []history.Entry {
	t.Helper()
	query, err := history.ParseQuery(object)
	if err != nil {
		t.Fatal(err)
	}
	h := history.New(query)
	stats, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(log)},
		func(e *auditlog.Event) error {
			h.Add(e)
			return nil
		})
	if err != nil || stats.Broken > 0 {
		t.Fatal(err, stats.Problems)
	}
	entries, err := h.Entries(options...)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}
