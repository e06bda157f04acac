package merge

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	kjson "sigs.k8s.io/json"
)

// misfit says which value keeps an object's fields from being decoded into Go types,
// and why. err is what the decoder said, which rarely says where; blank makes what
// the fields are decoded into.
func misfit(err error, fields map[string]any, blank func() any) error {
	refused := func(part any) bool {
		encoded, failed := json.Marshal(part)
		if failed == nil {
			failed = kjson.UnmarshalCaseSensitivePreserveInts(encoded, blank())
		}
		if failed != nil {
			err = failed
		}
		return failed != nil
	}
	path := ""
	if refused(fields) {
		path = strings.TrimPrefix(locate(fields, refused), ".")
	}
	if path == "" {
		return errors.New(reason(err))
	}
	return fmt.Errorf("%s: %s", path, reason(err))
}

// locate returns the path of a value that is refused, in a whole that is refused
// because of it. It halves each object and list on the way until one member is left.
// One that is refused even when it is empty is the value itself.
func locate(whole any, refused func(any) bool) string {
	switch v := whole.(type) {
	case map[string]any:
		if refused(map[string]any{}) {
			return ""
		}
		names := slices.Sorted(maps.Keys(v))
		i, found := search(len(names), func(from, to int) bool { return refused(members(v, names[from:to])) })
		if !found {
			return ""
		}
		return "." + names[i] + locate(v[names[i]], func(part any) bool { return refused(map[string]any{names[i]: part}) })
	case []any:
		if refused([]any{}) {
			return ""
		}
		i, found := search(len(v), func(from, to int) bool { return refused(v[from:to]) })
		if !found {
			return ""
		}
		return fmt.Sprintf("[%d]", i) + locate(v[i], func(part any) bool { return refused([]any{part}) })
	}
	return ""
}

// search finds one of n parts that is refused alone.
func search(n int, refused func(from, to int) bool) (i int, found bool) {
	from, to := 0, n
	for to-from > 1 {
		half := from + (to-from)/2
		if refused(from, half) {
			to = half
		} else {
			from = half
		}
	}
	return from, to > from && refused(from, to)
}

// members returns an object with some of the members of another one.
func members(of map[string]any, names []string) map[string]any {
	some := make(map[string]any, len(names))
	for _, name := range names {
		some[name] = of[name]
	}
	return some
}
