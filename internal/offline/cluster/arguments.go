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
	"example.com/gatehouse/internal/message"
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
	named    map[named]location
	repeated lines
	// files are the first request files, of which there are fileCount.
	files     []*manifest.Document
	fileCount int
	// stray has a line for each stored object that no argument updates.
	stray lines
}

// location is where an object stands.
type location struct {
	manifest.Position
	// item is its path in a list; may be empty.
	item string
}

func (p location) String() string {
	if p.item == "" {
		return p.Position.String()
	}
	return p.Position.String() + ": " + p.item
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

// enough is how many remarks of one sort are printed. There may be one more,
// because a line about the rest would take as much room.
const enough = 10

func (l *lines) add(text string) {
	if l.count++; l.count <= enough+1 {
		l.text = append(l.text, text)
	}
}

// shown returns the first lines, and one about the rest: how many that are, and
// what they have in common.
func (l *lines) shown(common string) []string {
	if l.count <= enough+1 {
		return l.text
	}
	return append(l.text[:enough:enough], fmt.Sprintf("%d more %s", l.count-enough, common))
}

// fallback reports whether the objects of -f are admitted.
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
	in.checked = checked{known: map[string]bool{"": true}, named: map[named]location{}}
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
		for _, s := range maker.Unused() {
			in.checked.stray.add(remark(s.Document, "",
				"the %s of --old is not used: no argument updates it", s.Kind.Kind))
		}
	}
}

// addArgument adds an argument that describes the cluster. Otherwise it returns
// the object to admit, and false if there is none or it has a mistake.
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
		if err := in.add(s, admitting); err != nil {
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

// see records a request for Remarks and ImplicitNamespaces.
func (in *Set) see(s requests.Source, r *admission.Request) {
	c := &in.checked
	c.count++
	if !c.known[r.Namespace] {
		c.known[r.Namespace] = true
		c.namespaces = append(c.namespaces, r.Namespace)
	}
	if s.Object == nil {
		if c.fileCount++; c.fileCount <= enough+1 {
			file := &manifest.Document{Position: s.Position, Item: s.Item, Kind: s.Kind}
			c.files = append(c.files, file)
		}
		return
	}
	if r.Name == "" || in.files.Pairs {
		return
	}
	id := named{r.Resource.GroupResource(), r.Subresource, r.Namespace, r.Name}
	first, ok := c.named[id]
	if !ok {
		c.named[id] = location{s.Position, s.Item}
		return
	}
	c.repeated.add(remark(s.Document, "", "%s/%s is already given in %s; gatehouse admits each",
		id.resource, id.name, first))
}

// Count returns the number of requests.
func (in *Set) Count() int { return in.checked.count }

// Requests makes the requests of the arguments, in order. It reads the files
// again, and there is nothing after an error: they may have changed.
func (in *Set) Requests() iter.Seq2[*requests.Made, error] {
	return func(yield func(*requests.Made, error) bool) {
		maker, err := in.storedMaker()
		if err != nil {
			yield(nil, err)
			return
		}
		count := 0
		for d, err := range in.reader.Files(in.arguments()) {
			var made *requests.Made
			if err == nil {
				made, err = in.remake(maker, d)
			}
			if err != nil {
				yield(nil, fmt.Errorf("reading the input again: %w", err))
				return
			}
			if made == nil {
				continue
			}
			if count++; !yield(made, nil) {
				return
			}
		}
		if count != in.Count() {
			yield(nil, fmt.Errorf("the input has changed: %s checked, and %d read again",
				message.Count(in.Count(), "object"), count))
		}
	}
}

// remake makes the request of a document again; nil if there is none.
func (in *Set) remake(maker *requests.Maker, d *manifest.Document) (*requests.Made, error) {
	if !in.isAdmitted(d) {
		return nil, nil
	}
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
// describes, and remarks that name them: a namespaceSelector may match labels
// that they have in a cluster.
func (in *Set) ImplicitNamespaces() (implicit []*corev1.Namespace, remarks []string) {
	described := map[string]bool{}
	for _, ns := range in.Namespaces {
		described[ns.Name] = true
	}
	var names lines
	for _, name := range in.checked.namespaces {
		if !described[name] {
			implicit = append(implicit, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
			names.add(fmt.Sprintf("namespace %q is not among the inputs: assumed to exist, "+
				"without labels of its own", name))
		}
	}
	return implicit, names.shown("namespaces are not among the inputs: assumed to exist, " +
		"without labels of their own")
}

// Close removes what was kept of standard input and pipes.
func (in *Set) Close() { in.reader.Close() }
