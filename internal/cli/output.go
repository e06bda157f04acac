package cli

import (
	"bytes"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
)

// The values of --output.
const (
	outputTable = "table"
	outputYAML  = "yaml"
	outputJSON  = "json"
)

// printer shows the objects of a run.
type printer interface {
	// print shows one object, or keeps it for later.
	print(*visit) error
	// end shows the rest. It is not called after an interruption, so that what
	// has been written is whole.
	end() error
}

// newPrinters returns how to make each printer, by its name.
func newPrinters() map[string]func(stdout, stderr io.Writer) printer {
	return map[string]func(stdout, stderr io.Writer) printer{
		outputTable: newTable,
		outputYAML:  func(stdout, stderr io.Writer) printer { return &yamlPrinter{out: stdout, aside: stderr} },
		outputJSON:  func(stdout, _ io.Writer) printer { return &jsonPrinter{out: stdout} },
	}
}

// yamlPrinter writes the admitted objects for others to read, and the rest
// aside for people.
type yamlPrinter struct {
	out, aside io.Writer
	printed    int
}

// print writes a whole document at once. What was to be deleted is printed as
// it is, so that the output can be handed to kubectl delete.
func (p *yamlPrinter) print(v *visit) error {
	name := reference(v.request, v.response)
	for _, w := range v.response.Warnings {
		notice(p.aside, "%s: warning: %s", name, shownText(w))
	}
	if !v.response.Allowed {
		notice(p.aside, "%s: denied: %s", name, shownText(v.response.Status.Message))
		return nil
	}
	object := v.response.Object
	if object == nil {
		object = v.request.OldObject
	}
	text, err := yaml.Marshal(identified(object, v.request.Kind))
	if err != nil {
		return fmt.Errorf("printing %s: %w", name, err)
	}
	if p.printed > 0 {
		text = append([]byte("---\n"), text...)
	}
	p.printed++
	return write(p.out, text)
}

func (p *yamlPrinter) end() error { return nil }

// identified returns the object with its apiVersion and kind, which typed
// objects lose on the way through converters.
func identified(object runtime.Object, kind schema.GroupVersionKind) runtime.Object {
	if object.GetObjectKind().GroupVersionKind() == kind {
		return object
	}
	object = object.DeepCopyObject()
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object
}

// write writes, and says so if it cannot.
func write(w io.Writer, text []byte) error {
	if _, err := io.Copy(w, bytes.NewReader(text)); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

// reference names an object as kubectl does, with its namespace: "pods/web in
// shop". A subresource stands where the API's paths have it, as in "pods/web/exec in
// shop". The response, if there is one, may know a generated name.
func reference(r *admission.Request, response *admission.Response) string {
	text := r.Resource.GroupResource().String() + "/" + nameOf(r, response)
	if r.Subresource != "" {
		text += "/" + r.Subresource
	}
	if r.Namespace != "" && !isNamespace(r.Resource) {
		text += " in " + r.Namespace
	}
	return text
}
