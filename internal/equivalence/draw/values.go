package draw

import (
	"math"
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/equivalence/mention"
)

// absent is the value of a field that is removed.
type absent struct{}

// values returns the values that are tried for a field of a type: near the constants to
// which it is compared, the likely ones first, and each once.
func (t *Type) values(name string, f *mention.Field) []any {
	var all []any
	switch t.form {
	case object:
		all = []any{t.fill(name, 1)}
	case list:
		all = t.lists(name, f)
	case mapping:
		all = t.mappings(name, f)
	case text:
		all = t.texts(name, f)
	case integer:
		all = t.integers(f)
	case boolean:
		all = []any{true, false}
	case quantity:
		all = quantities(f)
	case intOrText:
		all = append(t.integers(f), t.texts(name, f)...)
	case number:
		all = []any{float64(0), float64(1), 1.5}
	case anything:
		all = append(slices.Clone(f.Values), t.fill(name, 1), "a", int64(1), true)
	default:
		all = []any{t.fill(name, 1)}
	}
	return append(all, absent{})
}

// texts returns texts near the constants, patterns and sizes.
func (t *Type) texts(name string, f *mention.Field) []any {
	if len(t.enum) > 0 {
		return t.enum
	}
	var exact, near []string
	for _, v := range f.Values {
		if word, ok := v.(string); ok {
			exact = append(exact, word)
			near = append(near, variants(word)...)
		}
	}
	for _, p := range f.Patterns {
		s := samples(p)
		exact = append(exact, s...)
		for _, sample := range s {
			near = append(near, variants(sample)...)
		}
	}
	for _, n := range f.Sizes {
		for _, size := range []int64{n, n + 1, n - 1} {
			if size >= 0 && size < 5000 {
				exact = append(exact, strings.Repeat("a", int(size)))
			}
		}
	}
	// A word that is unlike all constants comes second.
	all := []string{t.fillText(largest, name)}
	if len(exact) > 0 {
		all = []string{exact[0], t.fillText(largest, name)}
		exact = exact[1:]
	}
	return distinct(slices.Concat(all, exact, near, []string{"b", ""}))
}

// variants are words near a word: longer, shorter, in other letters.
func variants(word string) []string {
	if word == "" {
		return nil
	}
	if network, err := netip.ParsePrefix(word); err == nil {
		return networks(network)
	}
	upper := strings.ToUpper(word)
	if upper == word {
		upper = strings.ToLower(word)
	}
	last := word[:len(word)-1]
	return []string{
		word + "a", "a" + word + "a", upper, upper + "a", strings.ToUpper(word[:1]) + word[1:] + "a",
		"a" + word, last, last + "a", last + ".a/a", "a/" + word, word + "/a", word + ":a", word[1:],
		word + "@a", word + ".a",
	}
}

// networks returns smaller and larger networks, the one beside, and an address.
func networks(of netip.Prefix) []string {
	var all []string
	for _, bits := range []int{of.Bits() + 1, of.Bits() - 1, 15, 16, 17, 24, of.Addr().BitLen()} {
		if p := netip.PrefixFrom(of.Addr(), bits); p.IsValid() {
			all = append(all, p.Masked().String())
		}
	}
	for _, a := range []netip.Addr{of.Addr(), of.Addr().Next(), of.Masked().Addr().Prev()} {
		if a.IsValid() {
			all = append(all, a.String())
		}
	}
	return all
}

func distinct(words []string) []any {
	var all []any
	for _, w := range words {
		if !slices.Contains(all, any(w)) {
			all = append(all, w)
		}
	}
	return all
}

// integers returns the constants, and those beside them.
func (t *Type) integers(f *mention.Field) []any {
	var all []any
	add := func(n int64) {
		if v := any(n); !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	for _, v := range f.Values {
		switch v := v.(type) {
		case int64:
			add(v)
			add(v + 1)
			add(v - 1)
		case float64:
			if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
				add(int64(v))
				add(int64(v) + 1)
			}
		}
	}
	for _, b := range []*int64{t.least, t.most} {
		if b != nil {
			add(*b)
		}
	}
	for _, n := range []int64{1, 0, 2, 1000} {
		add(n)
	}
	return all
}

// quantities returns the constants in several notations, and quantities beside them:
// texts and quantities have different orders.
func quantities(f *mention.Field) []any {
	all := []string{}
	for _, v := range f.Values {
		word, ok := v.(string)
		if n, isInt := v.(int64); isInt {
			word, ok = resource.NewQuantity(n, resource.DecimalSI).String(), true
		}
		q, err := resource.ParseQuantity(word)
		if !ok || err != nil {
			continue
		}
		all = append(all, word)
		if n := q.Value(); n > 0 && n < math.MaxInt64/1000 {
			for _, value := range []int64{n * 10, n * 2, n - 1, n + 1, n/2 + 1} {
				all = append(all, resource.NewQuantity(value, q.Format).String())
			}
			all = append(all, resource.NewMilliQuantity(q.MilliValue(), resource.DecimalSI).String(),
				resource.NewQuantity(n, resource.DecimalSI).String())
		}
		if q.MilliValue() < math.MaxInt64/2 {
			all = append(all, resource.NewMilliQuantity(q.MilliValue()+1, resource.DecimalSI).String(),
				resource.NewMilliQuantity(q.MilliValue()/2, resource.DecimalSI).String())
		}
	}
	return distinct(append(all, "1", "1000m", "500m", "1Gi", "9Gi", "10Gi", "512Mi", "0"))
}

// lists returns lists of the sizes to which it is compared, and of the constants.
func (t *Type) lists(name string, f *mention.Field) []any {
	all := []any{[]any{}}
	sizes := []int64{1, 2}
	for _, n := range f.Sizes {
		sizes = append(sizes, n, n+1, n-1)
	}
	if t.elem.form == text {
		for _, v := range t.elem.values(name, f) {
			if _, none := v.(absent); !none {
				all = append(all, []any{v}, []any{"b", v})
			}
		}
	}
	for _, n := range sizes {
		if n < 1 || n > 100 {
			continue
		}
		elements := []any{}
		for i := range n {
			elements = append(elements, t.element(name, i, 1))
		}
		all = append(all, elements)
	}
	return all
}

// mappings returns mappings with the constants as keys: all of them, and each alone.
func (t *Type) mappings(name string, f *mention.Field) []any {
	every := map[string]any{}
	all := []any{every, map[string]any{}, map[string]any{"a": t.elem.fill(name, 1)}}
	for _, v := range f.Values {
		if key, ok := v.(string); ok {
			every[key] = t.elem.fill(name, 1)
			all = append(all, map[string]any{key: t.elem.fill(name, 1)})
		}
	}
	for _, n := range f.Sizes {
		for _, size := range []int64{n, n + 1} {
			if size < 1 || size > 100 {
				continue
			}
			of := map[string]any{}
			for i := range size {
				of[strings.Repeat("a", int(i)+1)] = t.elem.fill(name, 1)
			}
			all = append(all, of)
		}
	}
	return all
}

// clone copies a value, so that cases share nothing.
func clone(v any) any {
	if _, none := v.(absent); none {
		return v
	}
	return runtime.DeepCopyJSONValue(v)
}
