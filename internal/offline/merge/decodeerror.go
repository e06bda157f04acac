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

// decodeError returns the path and the reason of the value that keeps an
// object's fields from being decoded into a Go type. err is the error of the
// decoder, which rarely has the path; blank makes an empty object of the type.
func decodeError(err error, fields map[string]any, blank func() any) error {
	rejected := func(part any) bool {
		encoded, failed := json.Marshal(part)
		if failed == nil {
			failed = kjson.UnmarshalCaseSensitivePreserveInts(encoded, blank())
		}
		if failed != nil {
			err = failed
		}
		return failed != nil
	}
	path := strings.TrimPrefix(locate(fields, rejected), ".")
	if path == "" {
		return errors.New(reason(err))
	}
	return fmt.Errorf("%s: %s", path, reason(err))
}

// locate returns the path of the first value in whole that is rejected alone. An
// object or list that is rejected even if it is empty is the value itself.
func locate(whole any, rejected func(any) bool) string {
	switch v := whole.(type) {
	case map[string]any:
		if rejected(map[string]any{}) {
			return ""
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			alone := func(part any) bool { return rejected(map[string]any{name: part}) }
			if alone(v[name]) {
				return "." + name + locate(v[name], alone)
			}
		}
	case []any:
		if rejected([]any{}) {
			return ""
		}
		for i, item := range v {
			alone := func(part any) bool { return rejected([]any{part}) }
			if alone(item) {
				return fmt.Sprintf("[%d]", i) + locate(item, alone)
			}
		}
	}
	return ""
}
