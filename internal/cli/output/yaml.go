package output

import (
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// yamlPrinter writes the admitted objects to out, and everything else to
// notices.
type yamlPrinter struct {
	out, notices io.Writer
	printed      int
}

// Print writes a whole document at once. It prints a deleted object unchanged,
// so that the output fits kubectl delete.
func (p *yamlPrinter) Print(v *session.Result) error {
	name := v.Reference()
	for _, w := range v.Response.Warnings {
		message.Notice(p.notices, "%s: warning: %s", name, shownText(w))
	}
	if v.Undecided() {
		message.Notice(p.notices, "%s: not printed: a webhook was not reached", name)
		for _, hint := range hintsFor(v) {
			message.Notice(p.notices, "%s: hint: %s", name, hint)
		}
		return nil
	}
	if !v.Response.Allowed {
		message.Notice(p.notices, "%s: denied: %s", name, shownText(v.Response.Status.Message))
		return nil
	}
	object := v.Response.Object
	if object == nil {
		object = v.Request.OldObject
	}
	text, err := command.YAML(identified(object, v.Request.Kind))
	if err != nil {
		return fmt.Errorf("printing %s: %w", name, err)
	}
	if p.printed > 0 {
		text = append([]byte("---\n"), text...)
	}
	p.printed++
	return command.Write(p.out, text)
}

func (p *yamlPrinter) End() error { return nil }

// identified returns the object with its apiVersion and kind, which converters
// clear on typed objects.
func identified(object runtime.Object, kind schema.GroupVersionKind) runtime.Object {
	if object.GetObjectKind().GroupVersionKind() == kind {
		return object
	}
	object = object.DeepCopyObject()
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object
}
