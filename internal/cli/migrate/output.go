package migrate

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
)

// result is the document that `gatehouse migrate -o json` prints.
type result struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind MigrateResult.
	metav1.TypeMeta `json:",inline"`
	// Items has one entry per webhook, in the order of the inputs.
	Items []*Item `json:"items"`
}

// Item is a webhook, and the policy in its place.
type Item struct {
	// File, Document and Line are the position of the webhook.
	File     string `json:"file"`
	Document int    `json:"document"`
	Line     int    `json:"line"`
	// Kind is that of the configuration, Configuration its name, and Webhook the
	// name of the webhook.
	Kind          string `json:"kind"`
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
	// Policy and Binding are the skeleton; absent if there is none.
	Policy  map[string]any `json:"policy,omitempty"`
	Binding map[string]any `json:"binding,omitempty"`
	// Losses are what the policy does not take over, in the order of its fields.
	Losses []Loss `json:"losses"`

	position manifest.Position
}

// newItem returns the item of the webhook at an index of the document.
func newItem(d *manifest.Document, index int, w *admission.Webhook, taken names) *Item {
	at := d.At(fmt.Sprintf("webhooks[%d]", index))
	i := &Item{
		File: at.File, Document: at.Number, Line: at.Line, Kind: d.Kind.Kind,
		Configuration: w.Configuration, Webhook: w.Name, position: at,
	}
	name := taken.take(w)
	policy, binding := skeleton(w, name)
	i.Policy, i.Binding = fieldsOf(policy), fieldsOf(binding)
	i.Losses = lossesOf(w, name)
	return i
}

// fieldsOf returns the fields of an object, without the status; nil for nil.
func fieldsOf(o runtime.Object) map[string]any {
	if o == nil {
		return nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		panic(err) // the objects are of types that can be converted
	}
	delete(fields, "status")
	return fields
}

// writeYAML writes the skeletons as YAML documents, below comments with the losses.
func writeYAML(out io.Writer, items []*Item) error {
	var text bytes.Buffer
	for n, i := range items {
		if n > 0 {
			text.WriteString("---\n")
		}
		if err := i.writeYAML(&text); err != nil {
			return err
		}
	}
	return command.Write(out, text.Bytes())
}

func (i *Item) writeYAML(text *bytes.Buffer) error {
	comment(text, "# ", fmt.Sprintf("%s: webhook %s of %s %s", i.position, i.Webhook, i.Kind,
		i.Configuration))
	for _, loss := range i.Losses {
		if loss.Field != "" {
			loss.Reason = loss.Field + ": " + loss.Reason
		}
		comment(text, "# - ", loss.Reason)
	}
	if i.Policy == nil {
		text.WriteString("# There is no policy for it.\n")
		return nil
	}
	policy, err := command.YAML(i.Policy)
	if err != nil {
		return err
	}
	binding, err := command.YAML(i.Binding)
	if err != nil {
		return err
	}
	text.Write(marked(policy))
	text.WriteString("---\n")
	text.Write(binding)
	return nil
}

// columns is the width of comments.
const columns = 90

// comment writes a text as lines of a comment. Only a word can be longer than a line.
func comment(text *bytes.Buffer, begin, words string) {
	line := begin
	for i, word := range strings.Fields(message.Escaped(words)) {
		if i > 0 && len(line)+len(word) > columns {
			text.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "#" + strings.Repeat(" ", len(begin)-1)
		}
		line += word + " "
	}
	text.WriteString(strings.TrimRight(line, " ") + "\n")
}

// marked adds a comment to the placeholder of a policy. Only a field of spec is
// indented by two.
func marked(policy []byte) []byte {
	for _, field := range []struct{ name, comment string }{
		{"validations", "this validation admits everything"},
		{"mutations", "this mutation changes nothing"},
	} {
		line := []byte("\n  " + field.name + ":\n")
		policy = bytes.Replace(policy, line,
			append([]byte("\n  # To be written: "+field.comment+"."), line...), 1)
	}
	return policy
}

// writeJSON writes the result document.
func writeJSON(out io.Writer, items []*Item) error {
	return command.WriteJSON(out, result{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "MigrateResult"},
		Items:    append([]*Item{}, items...),
	})
}
