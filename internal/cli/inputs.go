package cli

import (
	"errors"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/kinds"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/rbac"
)

// inputs is everything that was read, sorted by what it is good for.
type inputs struct {
	// kinds knows the built-in kinds and those of the CRDs.
	kinds          *kinds.Registry
	configurations []runtime.Object
	namespaces     []*corev1.Namespace
	policy         rbac.Policy
	hasPolicy      bool
	// objects are what is to be admitted, in order.
	objects []input

	problems []error
	// unused are documents that stand where nothing is admitted.
	unused []input
	// deprecated are configurations of a version that is no longer served.
	deprecated []*manifest.Document
	// static says that there are webhooks beside those of configurations.
	static bool
	// places says where each configuration and namespace was found.
	places map[identity]string
}

// input is one document, the object in it, and where such objects belong.
type input struct {
	*manifest.Document
	object     runtime.Object
	resource   schema.GroupVersionResource
	namespaced bool
}

// identity is what has to be unique among the inputs.
type identity struct{ kind, name string }

// role is why a file is read.
type role uint8

const (
	// configuring: the file stands after -f.
	configuring role = 1 + iota
	// admitting: the file is an argument.
	admitting
	// authorizing: the file stands after --authorizer.
	authorizing
)

// readInputs reads all files. Its error has one line for every document with a
// mistake, in the order in which they were found.
func readInputs(o *options) (*inputs, error) {
	in := &inputs{kinds: kinds.New(), places: map[identity]string{}}
	// Kinds may be defined after they are used, in another file even.
	documents := map[role][]*manifest.Document{}
	documents[configuring] = in.read(o.configs, configuring, o.stdin)
	documents[authorizing] = in.read(o.rbacFiles(), authorizing, o.stdin)
	documents[admitting] = in.read(o.objects, admitting, o.stdin)
	for _, r := range []role{configuring, authorizing, admitting} {
		for _, d := range documents[r] {
			in.sort(d, r, o.namespace)
		}
	}
	if len(in.problems) == 0 && len(in.objects) == 0 {
		in.note(in.nothing())
	}
	if err := errors.Join(in.problems...); err != nil {
		return nil, &inputError{err}
	}
	return in, nil
}

// read returns the documents of files, and teaches the kinds that they define. A
// path without any document is a mistake: a file that was cut off must not look
// like one with nothing in it.
func (in *inputs) read(paths []string, r role, stdin io.Reader) []*manifest.Document {
	var documents []*manifest.Document
	for _, path := range paths {
		empty := true
		for d, err := range manifest.Files([]string{path}, stdin) {
			empty = false
			switch {
			case err != nil:
				in.note(err)
			case r == authorizing && !isPolicy(d.Kind):
				in.note(d.Wrap("kind", fmt.Errorf("kind: %s is not of %s, which is all that --authorizer reads",
					d.Kind.Kind, rbacv1.SchemeGroupVersion)))
			case definesKind(d):
				in.note(teach(in.kinds, d))
			default:
				documents = append(documents, d)
			}
		}
		if empty {
			in.note(fmt.Errorf("%s: holds no documents", named(path)))
		}
	}
	return documents
}

// named returns what messages call a path.
func named(path string) string {
	if path == "-" {
		return manifest.StandardInput
	}
	return path
}

// note keeps a problem, if there is one.
func (in *inputs) note(problem error) {
	if problem != nil {
		in.problems = append(in.problems, problem)
	}
}

// sort puts a document where it belongs, or notes what is wrong with it.
func (in *inputs) sort(d *manifest.Document, r role, namespace string) {
	if isConfiguration(d.Kind) {
		in.sortConfiguration(d)
		return
	}
	i, err := read(in.kinds, d)
	if err != nil {
		in.note(err)
		return
	}
	if err := in.place(i, r, namespace); err != nil {
		in.note(blame(d, err))
	}
}

// sortConfiguration takes a webhook configuration as a file source does: also in
// v1beta1, and only if an API server would create it.
func (in *inputs) sortConfiguration(d *manifest.Document) {
	c, problems := source.Parse(d.JSON)
	for _, problem := range problems {
		in.note(d.Blame(problem))
	}
	if len(problems) > 0 {
		return
	}
	if err := in.addConfiguration(input{Document: d, object: c}); err != nil {
		in.note(blame(d, err))
	}
	if deprecated(d.Kind) != "" {
		in.deprecated = append(in.deprecated, d)
	}
}

// nothing says why there is nothing to admit.
func (in *inputs) nothing() error {
	if len(in.unused) > 0 {
		return fmt.Errorf("nothing to admit: objects after -f are not admitted, give %s as an argument", in.unused[0].File)
	}
	return errors.New("nothing to admit: the arguments hold no objects")
}

// tell says what may not be what was meant.
func (in *inputs) tell(stderr io.Writer) {
	for _, i := range in.unused {
		notice(stderr, "%v", i.Wrap("", fmt.Errorf("%s after -f is not admitted: objects are given as arguments", i.Document.Kind.Kind)))
	}
	for _, d := range in.deprecated {
		notice(stderr, "%v", d.Wrap("apiVersion", errors.New(deprecated(d.Kind))))
	}
	if len(in.configurations) == 0 && !in.static {
		notice(stderr, "no webhook configuration is among the inputs: everything is admitted")
	}
}
