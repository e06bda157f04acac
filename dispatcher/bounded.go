package dispatcher

import (
	"slices"
	"strings"
	"unicode"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/review"
)

// This file bounds what a webhook can make others read: clients, the audit event
// and whoever reads the logs.

// limits are those of the dispatcher.
func (c *call) limits() *limits.Limits { return &c.pass.d.config.Limits }

// note takes down what the webhook has to say, as far as the limits allow.
func (c *call) note(a *review.Answer) {
	r, l := &c.record, c.limits()
	kept := min(len(a.Warnings), l.Warnings)
	r.Dropped.Warnings = len(a.Warnings) - kept
	for _, text := range a.Warnings[:kept] {
		r.Warnings = append(r.Warnings, printable(text, l.WarningLength))
	}
	r.AuditAnnotations, r.Dropped.AuditAnnotations = a.AuditAnnotations, max(len(a.AuditAnnotations)-l.AuditAnnotations, 0)
	if r.Dropped.AuditAnnotations > 0 {
		r.AuditAnnotations = first(a.AuditAnnotations, l.AuditAnnotations)
	}
	for key, value := range r.AuditAnnotations {
		if len(value) > l.AuditAnnotationSize {
			// The answer is this call's alone.
			r.AuditAnnotations[key] = limits.Cut(value, l.AuditAnnotationSize)
		}
	}
}

// printable returns no more than the first characters of a warning, with blanks
// for those that no HTTP header can carry: a server would drop the whole warning.
func printable(text string, length int) string {
	n := 0
	for i := range text {
		if n++; n > length {
			text = text[:i]
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// first returns the n entries of a map whose keys come first.
func first(from map[string]string, n int) map[string]string {
	// Sorting all of them could take longer than there is time.
	firsts := make([]string, 0, n+1)
	for key := range from {
		if len(firsts) == n && key > firsts[n-1] {
			continue
		}
		at, _ := slices.BinarySearch(firsts, key)
		firsts = slices.Insert(firsts, at, key)[:min(len(firsts)+1, n)]
	}
	kept := make(map[string]string, n)
	for _, key := range firsts {
		kept[key] = from[key]
	}
	return kept
}

// brief returns an error whose text a webhook cannot make longer than the limit.
// Most are returned as they are.
func (c *call) brief(err error) error {
	text := err.Error()
	if cut := limits.Cut(text, c.limits().Message); cut != text {
		return &briefError{text: cut, whole: err}
	}
	return err
}

// briefError is an error with a shorter text.
type briefError struct {
	text  string
	whole error
}

func (e *briefError) Error() string { return e.text }

func (e *briefError) Unwrap() error { return e.whole }
