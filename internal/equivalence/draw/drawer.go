package draw

import (
	"iter"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/equivalence/mention"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/requestfile"
)

// Drawer draws cases. New creates it.
type Drawer struct {
	kinds       *kinds.Registry
	definitions []*apiextensionsv1.CustomResourceDefinition
	types       goTypes
	mentioned   *mention.Set
	// requestType and namespaceType are the types of AdmissionRequests and Namespaces.
	requestType, namespaceType *Type

	all []*Endpoint
	// chosen are the endpoints of random cases: those that rules match are there more
	// often.
	chosen []*Endpoint
	// edits are those of each endpoint.
	edits map[*Endpoint][]edit
}

// New returns a Drawer for the kinds of a registry, with the definitions of custom ones,
// the rules of both sides, and what they mention.
func New(
	known *kinds.Registry, definitions []*apiextensionsv1.CustomResourceDefinition,
	rules []registrationv1.RuleWithOperations, mentioned *mention.Set,
) *Drawer {
	d := &Drawer{
		kinds: known, definitions: definitions, types: goTypes{}, mentioned: mentioned,
		edits: map[*Endpoint][]edit{},
	}
	d.requestType = d.types.of(reflect.TypeFor[requestfile.AdmissionRequest]())
	d.namespaceType = d.types.of(reflect.TypeFor[corev1.Namespace]())
	d.all = d.endpoints(rules)
	for _, e := range d.all {
		times := 1
		if e.Matched {
			times = 8
		}
		for range times {
			d.chosen = append(d.chosen, e)
		}
	}
	return d
}

// Endpoints returns the endpoints, those that rules match first.
func (d *Drawer) Endpoints() []*Endpoint {
	all := slices.Clone(d.all)
	slices.SortStableFunc(all, func(a, b *Endpoint) int {
		switch {
		case a.Matched == b.Matched:
			return 0
		case a.Matched:
			return -1
		default:
			return 1
		}
	})
	return all
}

// editsAt returns the edits of an endpoint.
func (d *Drawer) editsAt(e *Endpoint) []edit {
	edits, known := d.edits[e]
	if !known {
		fields := slices.Concat(d.mentioned.Fields, scalarFields(e.of), commonFields())
		for _, f := range fields {
			edits = append(edits, d.editsOf(e, f)...)
		}
		d.edits[e] = edits
	}
	return edits
}

// Systematic returns the smallest case of each endpoint, and then those with one field
// edited: the first value of all fields of all endpoints, then the second value, and so
// on.
func (d *Drawer) Systematic() iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		endpoints := d.Endpoints()
		for _, e := range endpoints {
			if !yield(e.Smallest()) {
				return
			}
		}
		for n, more := 0, true; more; n++ {
			more = false
			for _, e := range endpoints {
				for i := range d.editsAt(e) {
					x := &d.edits[e][i]
					if n >= len(x.values) || n > 0 && !e.Matched {
						continue
					}
					more = true
					for _, c := range e.withEdit(x, x.values[n]) {
						if !yield(c) {
							return
						}
					}
				}
			}
		}
	}
}

// withEdit returns the smallest cases with an edit. That of the new object of an UPDATE is
// also made in both objects.
func (e *Endpoint) withEdit(x *edit, value any) []*Case {
	first := func(int) int { return 0 }
	c := e.Smallest()
	x.apply(c, value, first)
	all := []*Case{c}
	if e.Operation == admissionv1.Update && slices.Equal(x.base, []string{requestPart, "object"}) {
		both := c.Clone()
		other := *x
		other.base = []string{requestPart, "oldObject"}
		other.apply(both, value, first)
		all = append(all, both)
	}
	return all
}

// Random returns a case with several edits, of a seed if it is not nil, or else of the
// smallest case of an endpoint.
func (d *Drawer) Random(r *rand.Rand, seed *Case) *Case {
	var c *Case
	if seed != nil {
		c = seed.Clone()
	} else {
		c = d.chosen[r.IntN(len(d.chosen))].Smallest()
	}
	edits := d.editsAt(c.Endpoint)
	for range 1 + r.IntN(5) {
		if len(edits) == 0 {
			break
		}
		x := edits[r.IntN(len(edits))]
		value := x.values[r.IntN(len(x.values))]
		if r.IntN(8) == 0 {
			value = d.wild(r, &x, value)
		}
		x.apply(c, value, r.IntN)
		// Most fields of an object do not change in an UPDATE.
		if c.Endpoint.Operation == admissionv1.Update && len(x.base) == 2 && r.IntN(2) == 0 {
			x.base = []string{requestPart, map[string]string{
				"object": "oldObject", "oldObject": "object",
			}[x.base[1]]}
			x.apply(c, value, r.IntN)
		}
	}
	return c
}

// wild returns a word that was learned, in place of another text.
func (d *Drawer) wild(r *rand.Rand, x *edit, value any) any {
	at, _, _ := x.of.at(x.path)
	if n := len(d.mentioned.Words); at.form == text && len(at.enum) == 0 && n > 0 {
		return d.mentioned.Words[r.IntN(n)]
	}
	return value
}

// word is a constant as messages quote it.
var word = regexp.MustCompile(`[A-Za-z0-9][-A-Za-z0-9._/:]*[-A-Za-z0-9/]`)

// mostWords bounds what is learned: messages may be long, or all different.
const mostWords = 200

// Learn reads a message of a side, which may quote constants and names of fields.
func (d *Drawer) Learn(message string) {
	for _, w := range word.FindAllString(message, 50) {
		if len(d.mentioned.Words) < mostWords {
			d.mentioned.Word(w)
		}
	}
}
