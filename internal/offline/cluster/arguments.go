package cluster

import (
	"errors"
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// checked is what is known of the arguments when all were read. They are not
// kept, because there may be any number of them.
type checked struct {
	// count is the number of requests.
	count int
	// namespaces are those of the requests, in order.
	namespaces []string
	known      map[string]bool
	// named has the first object of each name, and repeated a line for each of
	// the others.
	named    map[named]manifest.Position
	repeated lines
	// files are the request files.
	files []*manifest.Document
	// stray are the stored objects that no argument updates.
	stray []requests.Source
}

// named is the identity of an object in a request.
type named struct {
	resource                     schema.GroupResource
	subresource, namespace, name string
}

// lines are lines of text, of which the first ones are kept.
type lines struct {
	text  []string
	count int
}

// enough is how many remarks of one sort are printed.
const enough = 10

func (l *lines) add(text string) {
	if l.count++; l.count <= enough {
		l.text = append(l.text, text)
	}
}

// fallback says that the objects of -f are admitted.
func (in *Set) fallback() bool { return len(in.files.Objects) == 0 && !in.files.Optional }

// arguments returns the paths of the objects to admit.
func (in *Set) arguments() []string {
	if in.fallback() {
		return in.files.Configs
	}
	return in.files.Objects
}

// isAdmitted reports whether a document of the arguments is admitted.
func (in *Set) isAdmitted(d *manifest.Document) bool {
	return !d.Patch && !webhookconfig.Is(d.Kind) && !(in.fallback() && describes(d.Kind))
}

// defineArguments collects the CustomResourceDefinitions among the arguments,
// which the objects before them need. It does not read what has none.
func (in *Set) defineArguments() {
	for _, path := range in.files.Objects {
		if !in.reader.Mentions(path, definitionKind) {
			continue
		}
		for d, err := range in.reader.Files([]string{path}) {
			if err == nil && definesKind(d) {
				in.definitions = append(in.definitions, in.newDefinition(d, admitting))
			}
		}
	}
}

// checkArguments reads the arguments, adds what describes the cluster, and
// makes all requests, so that there is an error for each mistake before a
// webhook is called. Requests makes them again.
func (in *Set) checkArguments() {
	in.checked = checked{known: map[string]bool{"": true}, named: map[named]manifest.Position{}}
	var maker *requests.Maker
	if len(in.problems) == 0 { // they may be the reason for further ones
		var err error
		maker, err = in.storedMaker()
		in.addProblem(err)
	}
	for d, err := range in.reader.Filled(in.arguments()) {
		if err != nil {
			in.addProblem(err)
			continue
		}
		s, ok := in.addArgument(d)
		if !ok || maker == nil {
			continue
		}
		made, err := maker.One(s)
		in.addProblem(err)
		if made != nil {
			in.see(s, made.Request)
		}
	}
	if maker != nil {
		in.addProblem(maker.Unpaired())
		in.checked.stray = maker.Unused()
	}
}

// addArgument adds what an argument says about the cluster. It returns an
// object that is admitted, and false if there is none or it has a mistake.
func (in *Set) addArgument(d *manifest.Document) (requests.Source, bool) {
	if !in.isAdmitted(d) {
		if !d.Patch && webhookconfig.Is(d.Kind) && !in.fallback() {
			in.parseConfiguration(d)
		}
		return requests.Source{}, false
	}
	s, err := in.decode(d)
	if err != nil {
		in.addProblem(err)
		return s, false
	}
	if s.Object != nil {
		if err := in.add(s, admitting, in.files.Namespace); err != nil {
			in.addProblem(blame(d, err))
			return s, false
		}
	}
	return s, true
}

// decode returns the object of a document; without one for a request file.
func (in *Set) decode(d *manifest.Document) (requests.Source, error) {
	if requestfile.Is(d.Kind) {
		return requests.Source{Document: d}, nil
	}
	object, err := in.kinds.Decode(d)
	return requests.Source{Document: d, Object: object}, err
}

// see remembers what Remarks and ImplicitNamespaces say about a request.
func (in *Set) see(s requests.Source, r *admission.Request) {
	c := &in.checked
	c.count++
	if !c.known[r.Namespace] {
		c.known[r.Namespace] = true
		c.namespaces = append(c.namespaces, r.Namespace)
	}
	if s.Object == nil {
		c.files = append(c.files, &manifest.Document{Position: s.Position, Item: s.Item, Kind: s.Kind})
		return
	}
	if r.Name == "" || in.files.Pairs {
		return
	}
	id := named{r.Resource.GroupResource(), r.Subresource, r.Namespace, r.Name}
	first, ok := c.named[id]
	if !ok {
		c.named[id] = s.Position
		return
	}
	c.repeated.add(remark(s.Document, "", "%s/%s is given twice, first in %s: it is admitted twice",
		id.resource, id.name, first))
}

// Count returns the number of requests.
func (in *Set) Count() int { return in.checked.count }

// Requests makes the requests of the arguments, in order. It reads the files
// again; an error, after which there is no more, says that they have changed.
func (in *Set) Requests() iter.Seq2[*requests.Made, error] {
	return func(yield func(*requests.Made, error) bool) {
		maker, err := in.storedMaker()
		if err != nil {
			yield(nil, err)
			return
		}
		for d, err := range in.reader.Files(in.arguments()) {
			if err == nil && !in.isAdmitted(d) {
				continue
			}
			var made *requests.Made
			if err == nil {
				made, err = in.remake(maker, d)
			}
			if err != nil {
				yield(nil, fmt.Errorf("the input has changed: %w", err))
				return
			}
			if made != nil && !yield(made, nil) {
				return
			}
		}
	}
}

func (in *Set) remake(maker *requests.Maker, d *manifest.Document) (*requests.Made, error) {
	s, err := in.decode(d)
	if err != nil {
		return nil, err
	}
	return maker.One(s)
}

// storedMaker returns a Maker with the stored objects.
func (in *Set) storedMaker() (*requests.Maker, error) {
	maker, err := in.maker(in.files.Settings)
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, s := range in.Stored {
		problems = append(problems, maker.Store(s))
	}
	return maker, errors.Join(problems...)
}

// ImplicitNamespaces returns the namespaces of requests that no input
// describes. A remark names them, because a namespaceSelector may match labels
// that they have in a cluster.
func (in *Set) ImplicitNamespaces() (implicit []*corev1.Namespace) {
	described := map[string]bool{}
	for _, ns := range in.Namespaces {
		described[ns.Name] = true
	}
	for _, name := range in.checked.namespaces {
		if !described[name] {
			implicit = append(implicit, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
		}
	}
	return implicit
}

// Close removes what was kept of standard input.
func (in *Set) Close() { in.reader.Close() }
