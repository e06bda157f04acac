package protocol

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

const (
	// longestWarning and allWarnings are what kube-apiserver passes on of each
	// warning and of all warnings of a request, in characters (S-301).
	longestWarning = 256
	allWarnings    = 4096
	// largest is the size of a response that burdens kube-apiserver.
	largest = 1 << 20
)

func keepsWarningsShort(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		total := 0
		seen := map[string]bool{}
		for _, warning := range x.Answer.Warnings {
			r.Checked()
			length := utf8.RuneCountInString(warning)
			if length > longestWarning {
				r.Fail(x, "a warning has %d characters: %q", length, warning)
			}
			if !seen[warning] { // kube-apiserver drops duplicates
				seen[warning], total = true, total+min(length, longestWarning)
			}
		}
		if total > allWarnings {
			r.Fail(x, "the warnings have %d characters together", total)
		}
	}
	r.Missing("the webhook warned of none of the samples")
}

func keepsWarningsPrintable(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		for _, warning := range x.Answer.Warnings {
			r.Checked()
			if strings.ContainsFunc(warning, unicode.IsControl) {
				r.Fail(x, "a warning has a control character in it: %q", warning)
			}
		}
	}
	r.Missing("the webhook warned of none of the samples")
}

func namesAnnotations(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		for _, key := range slices.Sorted(maps.Keys(x.Answer.AuditAnnotations)) {
			r.Checked()
			full := w.Name + "/" + key
			if strings.Contains(key, "/") {
				r.Fail(x, "%q has a second slash in it: the first one is behind the name of the webhook", full)
			} else if reasons := validation.IsQualifiedName(full); len(reasons) > 0 {
				r.Fail(x, "%q is no key of an audit annotation: %s", full, strings.Join(reasons, "; "))
			}
		}
	}
	r.Missing("no answer has audit annotations")
}

func answersBriefly(w *probe.Webhook, r *check.Record) {
	for _, x := range w.Exchanges {
		switch {
		case x.Truncated:
			r.Fail(x, "the answer has more than 8 MiB, and was not read to its end")
		case x.Answer == nil:
		case len(x.Body) >= largest:
			r.Fail(x, "the answer has %d bytes", len(x.Body))
		default:
			r.Checked()
		}
	}
	r.Missing(nothingAnswered)
}
