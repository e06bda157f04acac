package explain

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
)

// encodedAs passes an object of the Go type that encoded the states. Fields then
// omits what encoding/json adds to every object of that type, such as
// "status: {}": no writer wrote it.
func encodedAs(object runtime.Object) Option { return func(o *options) { o.like = object } }

// dropEncoded removes the fields that encoding an object of a Go type adds.
func (e *Explanation) dropEncoded(like runtime.Object) {
	if _, custom := like.(runtime.Unstructured); custom || like == nil {
		return
	}
	var object any
	if json.Unmarshal(e.Object, &object) != nil {
		return
	}
	empty := filter(e.Fields, (*Field).mayBeEncoded)
	for i := range empty {
		removeAt(object, empty[i].path())
	}
	text, err := json.Marshal(object)
	again := reflect.New(reflect.TypeOf(like).Elem()).Interface()
	if err != nil || json.Unmarshal(text, again) != nil {
		return
	}
	var encoded any
	if text, err = json.Marshal(again); err != nil || json.Unmarshal(text, &encoded) != nil {
		return
	}
	e.Fields = slices.DeleteFunc(e.Fields, func(f Field) bool {
		if !f.mayBeEncoded() {
			return false
		}
		at := f.path()
		last := len(at.steps) - 1
		fields, _ := valueAt(encoded, Path{at.steps[:last]}).(map[string]any)
		_, added := fields[at.steps[last].text]
		return added
	})
}

// mayBeEncoded reports whether a field of a map is empty and always was.
func (f *Field) mayBeEncoded() bool {
	value := string(f.Value)
	if value != "{}" && value != "null" || len(f.Earlier) > 0 {
		return false
	}
	steps := f.path().steps
	return len(steps) > 0 && steps[len(steps)-1].kind == stepKey
}

// path returns the parsed path, the root if it cannot be parsed.
func (f *Field) path() Path {
	path, _ := ParsePath(f.Path)
	return path
}

// removeAt removes a key from a map in a JSON value.
func removeAt(value any, path Path) {
	last := len(path.steps) - 1
	if fields, ok := valueAt(value, Path{path.steps[:last]}).(map[string]any); ok {
		delete(fields, path.steps[last].text)
	}
}

// valueAt returns the part of a JSON value at a path, nil if there is none.
func valueAt(value any, path Path) any {
	for _, s := range path.steps {
		switch v := value.(type) {
		case map[string]any:
			value = v[s.text]
		case []any:
			i, err := strconv.Atoi(s.text)
			if err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}
