package dispatcher

import (
	"slices"
	"strings"
	"unicode"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/review"
)

// This file limits what a webhook can write to clients, the audit event and
// logs.

// copyRemarks copies the webhook's warnings and audit annotations to the
// record, as far as the limits allow.
func (c *call) copyRemarks(a *review.Response) {
	r, l := &c.record, c.limits()
	kept := min(len(a.Warnings), l.Warnings)
	r.Dropped.Warnings = len(a.Warnings) - kept
	for _, text := range a.Warnings[:kept] {
		r.Warnings = append(r.Warnings, sanitizeWarning(text, l.WarningLength))
	}
	r.AuditAnnotations = a.AuditAnnotations
	r.Dropped.AuditAnnotations = max(len(a.AuditAnnotations)-l.AuditAnnotations, 0)
	if r.Dropped.AuditAnnotations > 0 {
		r.AuditAnnotations = smallestKeys(a.AuditAnnotations, l.AuditAnnotations)
	}
	for key, value := range r.AuditAnnotations {
		if len(value) > l.AuditAnnotationSize {
			// No other call uses the map.
			r.AuditAnnotations[key] = limits.Cut(value, l.AuditAnnotationSize)
		}
	}
}

// sanitizeWarning returns at most length characters of a warning. Control
// characters become blanks: an HTTP header cannot hold them, and the API server
// would drop the warning.
func sanitizeWarning(text string, length int) string {
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

// smallestKeys returns the n entries of a map with the smallest keys. It does
// not sort all keys, which could take longer than the call may.
func smallestKeys(from map[string]string, n int) map[string]string {
	keys := make([]string, 0, n+1)
	for key := range from {
		if len(keys) == n && key > keys[n-1] {
			continue
		}
		at, _ := slices.BinarySearch(keys, key)
		keys = slices.Insert(keys, at, key)[:min(len(keys)+1, n)]
	}
	kept := make(map[string]string, n)
	for _, key := range keys {
		kept[key] = from[key]
	}
	return kept
}

// truncateError returns err with its text truncated to the limit on messages.
// An error with a shorter text is returned as it is.
func (c *call) truncateError(err error) error {
	text := err.Error()
	if cut := limits.Cut(text, c.limits().Message); cut != text {
		return &truncatedError{text: cut, whole: err}
	}
	return err
}

// truncatedError is an error with a truncated text.
type truncatedError struct {
	text  string
	whole error
}

func (e *truncatedError) Error() string { return e.text }

func (e *truncatedError) Unwrap() error { return e.whole }
