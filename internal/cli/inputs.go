package cli

import (
	"errors"
	"fmt"
	"io"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/kinds"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/rbac"
	"example.com/gatehouse/internal/requestfile"
	"example.com/gatehouse/internal/requests"
)

// inputs is everything that was read, sorted by what it is good for.
type inputs struct {
	// kinds knows the built-in kinds and those of the CRDs.
	kinds *kinds.Registry
	// definitions are those CRDs.
	definitions    []*apiextensionsv1.CustomResourceDefinition
	configurations []runtime.Object
	namespaces     []*corev1.Namespace
	policy         rbac.Policy
	hasPolicy      bool
	// objects are what is asked for, in order; stored what they update.
	objects, stored []requests.Source

	problems []error
	// unused are documents that stand where nothing is admitted.
	unused []requests.Source
	// notUpdated are those of stored that nothing updates.
	notUpdated []requests.Source
	// deprecated are configurations of a version that is no longer served.
	deprecated []*manifest.Document
	// static says that there are webhooks beside those of configurations.
	static bool
	// places says where each configuration and namespace was found.
	places map[identity]string
	// described says why the files were read that describe the cluster.
	described map[identity]role
	// pairs says that arguments may update the arguments before them.
	pairs bool
}

// identity is what has to be unique among the inputs.
type identity struct{ kind, namespace, name string }

// role is why a file is read.
type role uint8

const (
	// configuring: the file stands after -f.
	configuring role = 1 + iota
	// admitting: the file is an argument.
	admitting
	// authorizing: the file stands after --authorizer.
	authorizing
	// storing: the file stands after --old.
	storing
)

// readInputs reads all files, and teaches known the kinds that they define. Its
// error has one line for every document with a mistake, in the order in which they
// were found.
func readInputs(o *options, known *kinds.Registry) (*inputs, error) {
	in := &inputs{
		kinds: known, places: map[identity]string{}, described: map[identity]role{},
		pairs: o.operation == string(admissionv1.Update) && len(o.old) == 0,
	}
	// Kinds may be defined after they are used, in another file even.
	documents := map[role][]*manifest.Document{}
	documents[configuring] = in.read(o.configs, configuring, o.stdin)
	documents[authorizing] = in.read(o.rbacFiles(), authorizing, o.stdin)
	documents[storing] = in.read(o.old, storing, o.stdin)
	documents[admitting] = in.read(o.objects, admitting, o.stdin)
	for _, r := range []role{configuring, authorizing, storing, admitting} {
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
			if err == nil {
				err = in.open(d, r)
			}
			if err != nil {
				in.note(err)
				continue
			}
			// Among the arguments a definition is both, like a Namespace.
			if !definesKind(d) || r != configuring {
				documents = append(documents, d)
			}
		}
		if empty {
			in.note(fmt.Errorf("%s: holds no documents", named(path)))
		}
	}
	return documents
}

// open takes from a document what others need to be understood.
func (in *inputs) open(d *manifest.Document, r role) error {
	switch {
	case r == authorizing && !isPolicy(d.Kind):
		return d.Wrap("kind", fmt.Errorf("kind: %s is not of %s, which is all that --authorizer reads",
			d.Kind.Kind, rbacv1.SchemeGroupVersion))
	case definesKind(d) && r != storing:
		return in.teach(d, r)
	}
	return nil
}

// note keeps a problem, if there is one.
func (in *inputs) note(problem error) {
	if problem != nil {
		in.problems = append(in.problems, problem)
	}
}

// sort puts a document where it belongs, or notes what is wrong with it.
func (in *inputs) sort(d *manifest.Document, r role, namespace string) {
	switch {
	case r == storing:
		in.note(in.store(d))
		return
	case isConfiguration(d.Kind):
		in.sortConfiguration(d)
		return
	case requestfile.Is(d.Kind):
		in.ask(requests.Source{Document: d}, r)
		return
	}
	object, err := in.kinds.Decode(d)
	if err != nil {
		in.note(err)
		return
	}
	if err := in.place(requests.Source{Document: d, Object: object}, r, namespace); err != nil {
		in.note(blame(d, err))
	}
}

// store keeps a stored object.
func (in *inputs) store(d *manifest.Document) error {
	if requestfile.Is(d.Kind) {
		return d.Wrap("kind", fmt.Errorf("kind: %s is a request: --old takes the objects that are stored", d.Kind.Kind))
	}
	object, err := in.kinds.Decode(d)
	in.stored = append(in.stored, requests.Source{Document: d, Object: object})
	return err
}

// ask keeps what is asked for, if it is an argument.
func (in *inputs) ask(s requests.Source, r role) {
	if r == admitting {
		in.objects = append(in.objects, s)
	} else {
		in.unused = append(in.unused, s)
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
	if err := in.addConfiguration(requests.Source{Document: d, Object: c}); err != nil {
		in.note(blame(d, err))
	}
	if deprecated(d.Kind) != "" {
		in.deprecated = append(in.deprecated, d)
	}
}
