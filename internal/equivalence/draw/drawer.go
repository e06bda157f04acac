package draw

import (
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/equivalence/mention"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/requestfile"
)

// Drawer generates cases. New creates it.
type Drawer struct {
	kinds       *kinds.Registry
	definitions []*apiextensionsv1.CustomResourceDefinition
	rules       []registrationv1.RuleWithOperations
	types       goTypes
	mentioned   *mention.Set
	// requestType and namespaceType are the types of AdmissionRequests and Namespaces.
	requestType, namespaceType *Type

	all []*Endpoint
	// chosen are the endpoints of random cases. Those that rules match occur several
	// times.
	chosen []*Endpoint
	edits  map[*Endpoint]*edits
}

// New returns a Drawer for the kinds of a registry, with the definitions of custom ones,
// the rules of both sides, and what they mention.
func New(
	known *kinds.Registry, definitions []*apiextensionsv1.CustomResourceDefinition,
	rules []registrationv1.RuleWithOperations, mentioned *mention.Set,
) *Drawer {
	d := &Drawer{
		kinds: known, definitions: definitions, rules: rules, types: goTypes{},
		mentioned: mentioned, edits: map[*Endpoint]*edits{},
	}
	d.requestType = d.types.of(reflect.TypeFor[requestfile.AdmissionRequest]())
	d.namespaceType = d.types.of(reflect.TypeFor[corev1.Namespace]())
	d.all = d.endpoints()
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

// edits are those of an endpoint.
type edits struct {
	all []edit
	// mentioned is how many of them, the first ones, are of fields that a side mentions.
	mentioned int
}

// editsAt returns the edits of an endpoint.
func (d *Drawer) editsAt(e *Endpoint) *edits {
	of := d.edits[e]
	if of != nil {
		return of
	}
	of = &edits{}
	for _, f := range d.mentioned.Fields {
		of.all = append(of.all, d.editsOf(e, f)...)
	}
	of.mentioned = len(of.all)
	for _, f := range slices.Concat(scalarFields(e.of), commonFields()) {
		of.all = append(of.all, d.editsOf(e, f)...)
	}
	d.edits[e] = of
	return of
}

// Systematic returns the smallest case of each endpoint, and then those with one field
// edited: the first value of all fields of all endpoints, then the second value, and so
// on. Endpoints that no rule matches get the first values only. Pairs of fields of one
// object come after the first values.
func (d *Drawer) Systematic() iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		endpoints := d.Endpoints()
		for _, e := range endpoints {
			if !yield(e.Smallest()) {
				return
			}
		}
		for n, more := 0, true; more; n++ {
			if n == 1 && !d.pairs(endpoints, yield) {
				return
			}
			more = false
			for _, e := range endpoints {
				if n > 0 && !e.Matched {
					continue
				}
				for i := range d.editsAt(e).all {
					x := &d.edits[e].all[i]
					more = more || n+1 < len(x.values)
					if !x.vary(e.Smallest(), n, yield) {
						return
					}
				}
			}
		}
	}
}

// pairs yields cases with constants in two fields of one object, in which only the two
// together may matter. It returns false if yield does.
func (d *Drawer) pairs(endpoints []*Endpoint, yield func(*Case) bool) bool {
	for _, e := range endpoints {
		all := d.editsAt(e).all
		for i := range all {
			for j := i + 1; j < len(all) && e.Matched; j++ {
				if all[i].isBeside(&all[j]) && !all[i].with(&all[j], e, yield) {
					return false
				}
			}
		}
	}
	return true
}

// with yields the smallest cases with a constant in each of two fields.
func (x *edit) with(y *edit, e *Endpoint, yield func(*Case) bool) bool {
	first := func(int) int { return 0 }
	for _, v := range x.constants {
		for _, w := range y.constants {
			c := e.Smallest()
			x.apply(c, v, first)
			y.apply(c, w, first)
			if !yield(c) {
				return false
			}
		}
	}
	return true
}

// nearest is how many values of each field Neighbours tries.
const nearest = 12

// Neighbours returns a case with one more field edited, of those that a side mentions.
func (d *Drawer) Neighbours(c *Case) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		of := d.editsAt(c.Endpoint)
		for n := range nearest {
			for i := range of.all[:of.mentioned] {
				if !of.all[i].vary(c, n, yield) {
					return
				}
			}
		}
	}
}

// vary yields copies of a case with the n-th value of an edit, if there is one. That of one
// object of an UPDATE is also made in both objects, and that of an element in one more
// element. It returns what yield does.
func (x *edit) vary(c *Case, n int, yield func(*Case) bool) bool {
	if n >= len(x.values) {
		return true
	}
	first := func(int) int { return 0 }
	one := c.Clone()
	x.apply(one, x.values[n], first)
	if !yield(one) {
		return false
	}
	if other, ok := x.inOther(c.Endpoint); ok {
		both := one.Clone()
		other.apply(both, x.values[n], first)
		if !yield(both) {
			return false
		}
	}
	if !slices.Contains(x.path, mention.Any) {
		return true
	}
	more := c.Clone()
	x.apply(more, x.values[n], func(n int) int { return n - 1 })
	return yield(more)
}

// inOther returns the edit of the other object of an UPDATE; false if there is none.
func (x *edit) inOther(e *Endpoint) (edit, bool) {
	other := *x
	if e.Operation != admissionv1.Update || len(x.base) != 2 || x.both {
		return other, false
	}
	other.base = []string{requestPart, map[string]string{
		"object": "oldObject", "oldObject": "object",
	}[x.base[1]]}
	return other, true
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
	of := d.editsAt(c.Endpoint)
	// Several edits are often of the same element.
	element := r.IntN(3)
	choice := func(n int) int {
		if r.IntN(4) == 0 {
			return r.IntN(n)
		}
		return min(element, n-1)
	}
	var last *edit
	for range 1 + r.IntN(5) {
		x := of.random(r, last)
		if x == nil {
			break
		}
		last = x
		value := x.values[r.IntN(len(x.values))]
		if r.IntN(8) == 0 {
			value = d.wild(r, x, value)
		}
		x.apply(c, value, choice)
		// Most fields of an object do not change in an UPDATE.
		if other, ok := x.inOther(c.Endpoint); ok && r.IntN(2) == 0 {
			other.apply(c, value, choice)
		}
	}
	return c
}

// random returns a random edit; nil if there is none. Mostly it is of a field that is
// mentioned, and often of one beside the last.
func (e *edits) random(r *rand.Rand, last *edit) *edit {
	n := len(e.all)
	if e.mentioned > 0 && r.IntN(4) > 0 {
		n = e.mentioned
	}
	if n == 0 {
		return nil
	}
	x := &e.all[r.IntN(n)]
	for range 8 {
		if last == nil || r.IntN(8) == 0 || last.isBeside(x) {
			break
		}
		x = &e.all[r.IntN(n)]
	}
	return x
}

// isBeside reports whether two edits are of fields of the same object.
func (x *edit) isBeside(y *edit) bool {
	return slices.Equal(x.base, y.base) && len(x.path) == len(y.path) &&
		slices.Equal(x.path[:len(x.path)-1], y.path[:len(y.path)-1])
}

// wild returns a learned word or number that replaces another one.
func (d *Drawer) wild(r *rand.Rand, x *edit, value any) any {
	at, _, _ := x.of.at(x.path)
	words, numbers := d.mentioned.Words, d.mentioned.Numbers
	switch {
	case len(at.enum) > 0:
	case at.form == text && len(words) > 0:
		return words[r.IntN(len(words))]
	case at.form == integer && len(numbers) > 0:
		return numbers[r.IntN(len(numbers))] + int64(r.IntN(3)) - 1
	}
	return value
}

// word is a constant as messages quote it.
var word = regexp.MustCompile(`[A-Za-z0-9][-A-Za-z0-9._/:]*[-A-Za-z0-9/]|[0-9]`)

// mostWords is the maximum number of learned words: messages may be long, or all different.
const mostWords = 200

// Learn reads a message of a side, which may quote constants and names of fields.
func (d *Drawer) Learn(message string) {
	for _, w := range word.FindAllString(message, 50) {
		if len(d.mentioned.Words)+len(d.mentioned.Numbers) >= mostWords {
			return
		}
		if n, err := strconv.ParseInt(w, 10, 64); err == nil && n < math.MaxInt64 {
			d.mentioned.Number(n)
		} else {
			d.mentioned.Word(w)
		}
	}
}
