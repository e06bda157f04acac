package validate

import (
	"bytes"
	"cmp"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
)

// textOf shows judgements as kubectl does, one after the other, with the places
// that kubectl does not know before each message:
//
//	a.yaml: document 1 (line 8): webhooks[0].timeoutSeconds
//	The ValidatingWebhookConfiguration "a" is invalid: webhooks[0].timeoutSeconds: …
//
//	b.yaml: document 1 (line 1): MutatingWebhookConfiguration "b" is valid
//
// Its error is for the sake of jsonOf; there is none.
func textOf(judgements []*judgement) ([]byte, error) {
	var text bytes.Buffer
	for i, v := range judgements {
		if i > 0 && (v.talks() || judgements[i-1].talks()) {
			text.WriteByte('\n')
		}
		for _, w := range v.warnings {
			v.writePlaces(&text, w)
			fmt.Fprintf(&text, "Warning: %s\n", w.text)
		}
		if v.valid() {
			fmt.Fprintf(&text, "%s: %s %q is valid\n", v.place(finding{position: v.Position}), v.Kind.Kind, v.name)
			continue
		}
		v.writePlaces(&text, v.errors...)
		fmt.Fprintf(&text, "%s\n", v.message)
	}
	return []byte(message.Shown(text.String(), "")), nil // others may have written the files
}

// talks reports whether there is more to say than that all is well.
func (v *judgement) talks() bool { return !v.valid() || len(v.warnings) > 0 }

// writePlaces says once where some findings in a row are.
func (v *judgement) writePlaces(text *bytes.Buffer, findings ...finding) {
	before := ""
	for _, f := range findings {
		if place := v.place(f); place != before {
			fmt.Fprintln(text, place)
			before = place
		}
	}
}

// place returns for example "a.yaml: document 2 (line 14): webhooks[0].name".
func (v *judgement) place(f finding) string {
	place := f.position.String()
	for _, more := range []string{v.Item, f.field, f.elsewhere} {
		if more != "" {
			place += ": " + more
		}
	}
	return place
}

// jsonOf returns a result. Markup stays what it is.
func jsonOf(judgements []*judgement) ([]byte, error) {
	all := result{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "ValidateResult"},
		Items:    []item{},
	}
	for _, v := range judgements {
		all.Items = append(all.Items, itemOf(v))
	}
	text, err := command.Indented(all)
	if err != nil {
		return nil, fmt.Errorf("printing the result: %w", err)
	}
	return text, nil
}

func itemOf(v *judgement) item {
	i := item{
		File:       v.File,
		Document:   v.Number,
		Line:       v.Line,
		Item:       v.Item,
		APIVersion: v.Kind.GroupVersion().String(),
		Kind:       v.Kind.Kind,
		Name:       v.name,
		Valid:      v.valid(),
		Message:    v.message,
		Errors:     []refusal{},
		Warnings:   []string{},
	}
	for _, f := range v.errors {
		i.Errors = append(i.Errors, refusal{
			Line:     f.position.Line,
			Type:     f.reason,
			Field:    f.field,
			Detail:   cmp.Or(f.detail, f.elsewhere),
			BadValue: f.value,
			Message:  f.text,
		})
	}
	for _, w := range v.warnings {
		i.Warnings = append(i.Warnings, w.text)
	}
	return i
}
