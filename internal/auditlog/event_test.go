package auditlog_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/testutil/audittest"
)

// TestOwned: the annotations of webhooks and policies are those that are not of Kubernetes.
func TestOwned(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("update", "ann", `{}`, audittest.Annotated("hook.example.com/reason", "x"), audittest.Annotated("audit.k8s.io/other", "x"),
		audittest.Annotated("pod-security.kubernetes.io/enforce", "x"), audittest.Annotated("none", "x"))
	var got []auditlog.Owned
	_, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(log.Text())}, func(e *auditlog.Event) error {
		got = append(got, e.Owned...)
		return nil
	})
	if want := []auditlog.Owned{{Owner: "hook.example.com", Key: "reason"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestNoEndOfLine: the last line of a log that is being written may have no end.
func TestNoEndOfLine(t *testing.T) {
	t.Parallel()
	ids, stats := readAll(t, auditlog.Input{Paths: []string{"-"}, Stdin: strings.NewReader(strings.TrimSpace(sample(3).Text()))})
	if want := []string{"id-1", "id-2", "id-3"}; !slices.Equal(ids, want) || stats.Broken > 0 {
		t.Errorf("got %q, %+v", ids, stats)
	}
}
