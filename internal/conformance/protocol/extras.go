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
	"example.com/gatehouse/internal/conformance/report"
)

const (
	// longestWarning and allWarnings are what kube-apiserver passes on of each warning,
	// and of those of a request together, in characters (S-301).
	longestWarning = 256
	allWarnings    = 4096
	// largest is the size of an answer from which on it is a burden.
	largest = 1 << 20
)

// warnings are the checks of warnings.
func warnings() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-WARNINGS", Level: report.Should,
			Title: "keeps warnings short",
			Why:   "When the warnings of a request, those of all its webhooks together, exceed 4096 characters, kube-apiserver cuts each of them to 256 and drops those that are still too many.",
			Fix:   "Write warnings of at most 256 characters, better of 120, without a prefix such as “Warning:”, and few of them.",
		}, keepsWarningsShort),
		each(report.Check{
			ID: "C-WARNINGS-PRINTABLE", Level: report.Should,
			Title: "has no control characters in warnings",
			Why:   "Warnings travel in HTTP headers. kube-apiserver drops one with a control character, such as the end of a line, without a word.",
			Fix:   "Write each warning in one line, and replace control characters in what is quoted from the object.",
		}, keepsWarningsPrintable),
	}
}

// extras are the checks of what else may be in an answer.
func extras() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-AUDIT-KEYS", Level: report.Should,
			Title: "has valid keys of audit annotations",
			Why:   "In the audit event the key is that of the webhook's name, a slash and the key of the answer. If that is no qualified name, kube-apiserver drops the annotation and says so in its log alone.",
			Fix:   "Use keys of at most 63 letters, digits, “-”, “_” and “.” that begin and end with a letter or digit. The name of the webhook comes by itself: there is no “/” in a key.",
		}, namesAnnotations),
		each(report.Check{
			ID: "C-RESPONSE-SIZE", Level: report.Should,
			Title: "answers with less than 1 MiB",
			Why:   "kube-apiserver reads every answer into its memory and has no limit for that: large ones cost it memory, once for each of the requests that are on their way, and their users time.",
			Fix:   "Send only the operations that are needed, instead of a patch that replaces the whole object, and few and short warnings and audit annotations.",
		}, answersBriefly),
	}
}

func keepsWarningsShort(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		total := 0
		seen := map[string]bool{}
		for _, warning := range x.Answer.Warnings {
			r.Saw()
			length := utf8.RuneCountInString(warning)
			if length > longestWarning {
				r.Fail(x, "a warning has %d characters: %q", length, warning)
			}
			if !seen[warning] { // repetitions are passed on once
				seen[warning], total = true, total+min(length, longestWarning)
			}
		}
		if total > allWarnings {
			r.Fail(x, "the warnings have %d characters together", total)
		}
	}
	r.Lacks("the webhook warned of none of the samples")
}

func keepsWarningsPrintable(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		for _, warning := range x.Answer.Warnings {
			r.Saw()
			if strings.ContainsFunc(warning, unicode.IsControl) {
				r.Fail(x, "a warning has a control character in it: %q", warning)
			}
		}
	}
	r.Lacks("the webhook warned of none of the samples")
}

func namesAnnotations(w *probe.Webhook, r *check.Record) {
	for _, x := range read(w) {
		for _, key := range slices.Sorted(maps.Keys(x.Answer.AuditAnnotations)) {
			r.Saw()
			full := w.Name + "/" + key
			if strings.Contains(key, "/") {
				r.Fail(x, "%q has a second slash in it: the first one is behind the name of the webhook", full)
			} else if reasons := validation.IsQualifiedName(full); len(reasons) > 0 {
				r.Fail(x, "%q is no key of an audit annotation: %s", full, strings.Join(reasons, "; "))
			}
		}
	}
	r.Lacks("no answer has audit annotations")
}

func answersBriefly(w *probe.Webhook, r *check.Record) {
	for _, x := range w.Exchanges {
		switch {
		case x.Cut():
			r.Fail(x, "the answer has more than 8 MiB, and was not read to its end")
		case x.Answer == nil:
		case len(x.Body) >= largest:
			r.Fail(x, "the answer has %d bytes", len(x.Body))
		default:
			r.Saw()
		}
	}
	r.Lacks(nothingAnswered)
}
