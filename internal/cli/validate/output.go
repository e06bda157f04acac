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
func writeText(out io.Writer, items []*item) error {
	var text bytes.Buffer
	for n, i := range items {
		if n > 0 && (i.hasMessages() || items[n-1].hasMessages()) {
			text.WriteByte('\n')
		}
		for w, warning := range i.Warnings {
			fmt.Fprintf(&text, "%s\nWarning: %s\n", i.warningPositions[w], warning)
		}
		if i.Valid {
			fmt.Fprintf(&text, "%s: %s %q is valid\n", i.positionOf(""), i.Kind, i.Name)
			continue
		}
		before := ""
		for _, e := range i.Errors {
			if e.position != before {
				fmt.Fprintln(&text, e.position)
				before = e.position
			}
		}
		fmt.Fprintln(&text, i.Message)
	}
	// The files may contain untrusted text.
	return command.Write(out, []byte(message.Shown(text.String(), "")))
}

// hasMessages reports whether there is more to print than that the
// configuration is valid.
func (i *item) hasMessages() bool { return !i.Valid || len(i.Warnings) > 0 }

// writeJSON writes the result document.
func writeJSON(out io.Writer, items []*item) error {
	return command.WriteJSON(out, result{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "ValidateResult"},
		Items:    append([]*item{}, items...),
	})
}
