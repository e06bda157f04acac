package cluster

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Read reads all files and adds the kinds of CustomResourceDefinitions to
// known. The error has one line for every mistake in a document or in a request
// for it. No objects are an error too, unless they are Optional.
func Read(f *Files, known *kinds.Registry) (*Set, error) {
	in := &Set{kinds: known, first: map[identity]requests.Source{}, described: map[identity]role{},
		files: f,
		reader: &manifest.Reader{
			Stdin: f.Stdin, Recursive: f.Recursive, Patches: true, Repeats: true,
		}}
	in.readAll()
	if len(in.problems) == 0 && in.Count() == 0 && !(f.Optional && len(f.Objects) == 0) {
		in.addProblem(in.nothingToAdmit())
	}
	if err := errors.Join(in.problems...); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// readAll reads all files. A definition may come after its objects, even in
// another file.
func (in *Set) readAll() {
	f := in.files
	documents := map[role][]*manifest.Document{}
	documents[configuring] = in.read(f.Configs, configuring)
	for _, d := range f.Inline {
		documents[configuring] = in.prepare(documents[configuring], d, configuring)
	}
	documents[authorizing] = in.read(f.RBAC, authorizing)
	documents[storing] = in.read(f.Old, storing)
	in.defineArguments()
	in.addDefinitions(in.definitions)
	for _, r := range []role{configuring, authorizing, storing} {
		for _, d := range documents[r] {
			in.addDocument(d, r)
		}
	}
	in.addParams()
	in.checkArguments()
	in.unread = in.reader.Unread(slices.Concat(f.Configs, f.Old, f.Objects))
}

// read returns the documents of files that are decoded later.
func (in *Set) read(paths []string, r role) []*manifest.Document {
	var documents []*manifest.Document
	for _, path := range paths {
		pointless := r == configuring && !in.fallback()
		var found []schema.GroupVersionKind
		for d, err := range in.reader.Filled([]string{path}) {
			pointless = pointless && err == nil && !describes(d.Kind)
			if pointless {
				found = append(found, d.Kind)
			}
			switch {
			case err != nil:
				in.addProblem(err)
			case !d.Patch || definesKind(d):
				documents = in.prepare(documents, d, r)
			}
		}
		if pointless {
			in.pointless = append(in.pointless, pointlessPath{path, found})
		}
	}
	return documents
}

// prepare appends a document that is no argument to those that are decoded
// later. A CustomResourceDefinition is for addDefinitions, unless it is stored.
func (in *Set) prepare(
	rest []*manifest.Document, d *manifest.Document, r role,
) []*manifest.Document {
	if r == authorizing && !isPolicy(d.Kind) {
		in.addProblem(d.Wrap("kind", fmt.Errorf("kind: %s is not a kind of %s, which --authorizer needs",
			d.Kind.Kind, rbacv1.SchemeGroupVersion)))
		return rest
	}
	if definesKind(d) && r != storing {
		in.definitions = append(in.definitions, in.newDefinition(d, r))
		return rest
	}
	return append(rest, d)
}

// addProblem keeps a problem, if there is one.
func (in *Set) addProblem(problem error) {
	if problem != nil {
		in.problems = append(in.problems, problem)
	}
}

// addDocument adds a document that is no argument, by its kind and role, or its
// error.
func (in *Set) addDocument(d *manifest.Document, r role) {
	switch {
	case r == storing:
		in.addProblem(in.addStored(d))
		return
	case !describes(d.Kind):
		in.unused = append(in.unused, d)
		return
	case webhookconfig.Is(d.Kind):
		in.parseConfiguration(d)
		return
	case policies.Is(d.Kind):
		in.parsePolicy(d)
		return
	}
	object, err := in.kinds.Decode(d)
	if err != nil {
		in.addProblem(err)
		return
	}
	if err := in.add(requests.Source{Document: d, Object: object}, r); err != nil {
		in.addProblem(blame(d, err))
	}
}

// addStored keeps a stored object.
func (in *Set) addStored(d *manifest.Document) error {
	if requestfile.Is(d.Kind) {
		return d.Wrap("kind", fmt.Errorf("kind: %s is a request, but --old takes stored objects", d.Kind.Kind))
	}
	object, err := in.kinds.Decode(d)
	in.Stored = append(in.Stored, requests.Source{Document: d, Object: object})
	return err
}

// parsePolicy takes a policy or a binding, also in older versions, and only if an
// API server would create it.
func (in *Set) parsePolicy(d *manifest.Document) {
	p, problems := policies.Parse(d.JSON)
	for _, problem := range problems {
		in.addProblem(d.Blame(problem))
	}
	if len(problems) > 0 {
		return
	}
	taken, err := in.take(requests.Source{Document: d, Object: p})
	if err != nil {
		in.addProblem(blame(d, err))
	}
	if taken {
		in.Policies = append(in.Policies, p)
	}
}

// addParams adds the objects that policies name as params: descriptions, but not
// arguments, and others after -f, which it decodes.
func (in *Set) addParams() {
	named := policies.ParamKinds(in.Policies)
	for _, s := range in.descriptions {
		kind := s.Object.GetObjectKind().GroupVersionKind()
		if slices.Contains(named, kind) && in.described[identityOf(s)] != admitting {
			in.Params = append(in.Params, in.paramOf(s.Object))
		}
	}
	unused := in.unused
	in.unused = nil
	for _, d := range unused {
		if !slices.Contains(named, d.Kind) {
			in.unused = append(in.unused, d)
			continue
		}
		in.addProblem(in.addParam(d))
	}
}

// paramOf returns a copy of a description, with its defaults.
func (in *Set) paramOf(description runtime.Object) runtime.Object {
	object := description.DeepCopyObject()
	if ns, ok := object.(*corev1.Namespace); ok {
		object = policies.Labelled(ns)
	}
	in.kinds.NormalizeStored(object)
	return object
}

// addParam decodes a param, changes it to what an API server would read, and takes
// it. The error has its position.
func (in *Set) addParam(d *manifest.Document) error {
	object, err := in.kinds.Decode(d)
	if err != nil {
		return err
	}
	if err := in.setNamespace(object); err != nil {
		return d.Wrap("kind", err)
	}
	in.kinds.NormalizeStored(object)
	taken, err := in.take(requests.Source{Document: d, Object: object})
	if err != nil {
		return blame(d, err)
	}
	if taken {
		in.Params = append(in.Params, object)
	}
	return nil
}

// parseConfiguration takes a webhook configuration as a file source does: also
// in v1beta1, and only if an API server would create it.
func (in *Set) parseConfiguration(d *manifest.Document) {
	c, problems := source.Parse(d.JSON)
	if c == nil { // decode it again for all values of the wrong type
		if _, err := in.kinds.Decode(d); err != nil {
			in.addProblem(err)
			return
		}
	}
	for _, problem := range problems {
		in.addProblem(d.Blame(problem))
	}
	if len(problems) > 0 {
		return
	}
	if err := in.addConfiguration(requests.Source{Document: d, Object: c}); err != nil {
		in.addProblem(blame(d, err))
	}
	if webhookconfig.Deprecation(d.Kind) != "" {
		in.deprecated = append(in.deprecated, d)
	}
}
