package validate

import (
	"bytes"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
)

// writeText writes items as kubectl does, with the positions, which kubectl does
// not know, before each message:
//
//	a.yaml: document 1 (line 8): webhooks[0].timeoutSeconds
//	The ValidatingWebhookConfiguration "a" is invalid: webhooks[0].timeoutSeconds: …
//
//	b.yaml: document 1 (line 1): MutatingWebhookConfiguration "b" is valid
func (o *options) writeText(out io.Writer, items []*item) error {
	var text bytes.Buffer
	for n, i := range items {
		if n > 0 && (i.hasMessages() || items[n-1].hasMessages()) {
			text.WriteByte('\n')
		}
		for w, warning := range i.Warnings {
			if at := i.warningPositions[w]; w == 0 || at != i.warningPositions[w-1] {
				fmt.Fprintln(&text, shown(at))
			}
			fmt.Fprintf(&text, "%s %s\n", o.colors.Notable("Warning:"), shown(warning))
		}
		if i.Valid {
			fmt.Fprintf(&text, "%s is %s\n",
				shown(fmt.Sprintf("%s: %s %q", i.positionOf(""), i.Kind, i.Name)), o.colors.Good("valid"))
			continue
		}
		before := ""
		for _, e := range i.Errors {
			if e.position != before {
				fmt.Fprintln(&text, shown(e.position))
				before = e.position
			}
		}
		fmt.Fprintln(&text, o.colors.Bad(shown(i.Message)))
	}
	return command.Write(out, text.Bytes())
}

// shown returns a text of a file, which may be untrusted.
func shown(text string) string { return message.Shown(text, "") }

// hasMessages reports whether there is more to print than that the object is
// valid.
func (i *item) hasMessages() bool { return !i.Valid || len(i.Warnings) > 0 }

// writeJSON writes the result document.
func writeJSON(out io.Writer, items []*item) error {
	return command.WriteJSON(out, result{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "ValidateResult"},
		Items:    append([]*item{}, items...),
	})
}
