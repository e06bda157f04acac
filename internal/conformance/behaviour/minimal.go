package behaviour

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func replacesLittle(_ context.Context, w *probe.Webhook, r *check.Record) {
	r.Missing("no answer has a patch that applies to an object")
	for _, x := range w.Answered() {
		if _, err := x.Patched(); err != nil || len(x.Answer.Patch) == 0 {
			continue
		}
		r.Checked()
		for _, pointer := range overbroad(x) {
			r.Add(newFinding(x.Sample, pathOf(pointer), x),
				"the patch replaces all of %s, and some of it by the same", cmp.Or(pointer, "the object"))
		}
	}
}

// pathOf converts a JSON pointer to a path; nil for the whole object.
func pathOf(pointer string) []string {
	path, err := explain.ParsePath(pointer)
	if err != nil || pointer == "" {
		return nil
	}
	return []string{path.String()}
}

// maxRewritten bounds the work for a patch: each operation writes the object
// anew. The operations beyond it are not examined.
const maxRewritten = 64 << 20

// overbroad returns the JSON pointers of objects and lists that a patch
// replaces although part of their content stays.
func overbroad(x *probe.Exchange) []string {
	operations, err := jsonpatch.DecodePatch(x.Answer.Patch)
	if err != nil {
		return nil
	}
	var found []string
	object, rewritten := []byte(x.Object()), 0
	for _, o := range operations {
		if pointer, old, value := overwritten(o, object); keepsSome(old, value) {
			found = append(found, pointer)
		}
		object, err = probe.ApplyPatch(jsonpatch.Patch{o}, object)
		if rewritten += len(object); err != nil || rewritten > maxRewritten {
			break
		}
	}
	return found
}

// overwritten returns the pointer of an operation and, if it replaces an object
// or a list by another one, the old and the new value.
func overwritten(o jsonpatch.Operation, object []byte) (pointer string, old, value any) {
	pointer, err := o.Path()
	if kind := o.Kind(); err != nil || kind != "add" && kind != "replace" || o["value"] == nil ||
		!isContainer(*o["value"]) {
		return pointer, nil, nil
	}
	var root any
	if utiljson.Unmarshal(object, &root) != nil || utiljson.Unmarshal(*o["value"], &value) != nil {
		return pointer, nil, nil
	}
	parent, old := lookup(root, pointer)
	if _, isList := parent.([]any); isList && o.Kind() == "add" {
		return pointer, nil, nil // the list grows
	}
	return pointer, old, value
}

// lookup returns the value at a JSON pointer, and its parent; nil if there is
// none.
func lookup(root any, pointer string) (parent, value any) {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	value = root
	for _, step := range strings.Split(pointer, "/")[1:] {
		parent, value = value, nil
		switch in := parent.(type) {
		case map[string]any:
			value = in[unescape.Replace(step)]
		case []any:
			if n, err := strconv.Atoi(step); err == nil && n >= 0 && n < len(in) {
				value = in[n]
			}
		}
	}
	return parent, value
}

// isContainer reports whether a value is an object or a list.
func isContainer(value json.RawMessage) bool {
	value = bytes.TrimSpace(value)
	return len(value) > 0 && (value[0] == '{' || value[0] == '[')
}

// keepsSome reports whether the new value has a part of the old one. Of a list
// of scalars it needs all, because equal items cannot be told apart.
func keepsSome(old, value any) bool {
	switch old := old.(type) {
	case map[string]any:
		value, ok := value.(map[string]any)
		if !ok {
			return false
		}
		for key := range old {
			if now, ok := value[key]; ok && reflect.DeepEqual(old[key], now) {
				return true
			}
		}
	case []any:
		value, ok := value.([]any)
		return ok && keepsItems(old, value)
	}
	return false
}

func keepsItems(old, value []any) bool {
	kept, objects := 0, false
	for _, item := range old {
		_, isObject := item.(map[string]any)
		objects = objects || isObject
		for _, now := range value {
			if reflect.DeepEqual(item, now) || isObject && keepsSome(item, now) {
				kept++
				break
			}
		}
	}
	if objects {
		return kept > 0
	}
	return kept > 0 && kept == len(old)
}
