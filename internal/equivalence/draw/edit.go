package draw

import (
	"maps"
	"slices"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/equivalence/mention"
	"example.com/gatehouse/internal/offline/requests"
)

// edit sets or removes one field of a case.
type edit struct {
	// base leads to a part of the case, and path from there to the field. of is the type
	// of the part.
	base, path []string
	of         *Type
	// values are the values to try. constants are those to which a side compares the
	// field.
	values, constants []any
	// both is true if an edit of the new object also edits the stored one: the field
	// is a name, which identifies the object.
	both bool
}

// editsOf returns the edits of a field at an endpoint.
func (d *Drawer) editsOf(e *Endpoint, f *mention.Field) []edit {
	switch f.Root {
	case mention.Object, mention.OldObject:
		if name := identity(f); name != "" {
			return d.editsOfRequest(e, name, f)
		}
		return d.editsOfObject(e, f)
	case mention.Request:
		if len(f.Path) == 0 {
			return nil
		}
		return d.editsOfRequest(e, f.Path[0], f)
	case mention.Namespace:
		switch {
		case identity(f) != "":
			return d.editsOfRequest(e, "namespace", f)
		case e.Namespaced:
			return d.newEdits([]string{namespacePart}, d.namespaceType, f.Path, f)
		}
	}
	return nil
}

// identity returns the field of a request that a field of the metadata is: its name or
// namespace.
func identity(f *mention.Field) string {
	if len(f.Path) == 2 && f.Path[0] == "metadata" && (f.Path[1] == "name" || f.Path[1] == "namespace") {
		return f.Path[1]
	}
	return ""
}

// editsOfRequest returns the edits of a field that is not in an object. There are none
// for the fields that the endpoint determines.
func (d *Drawer) editsOfRequest(e *Endpoint, name string, f *mention.Field) []edit {
	switch name {
	case "namespace":
		if e.Namespaced {
			return d.newEdits([]string{requestPart}, d.requestType, []string{"namespace"}, f)
		}
		if e.Kind.Kind != "Namespace" {
			return nil
		}
		fallthrough
	case "name":
		all := d.newEdits([]string{requestPart, "object"}, e.of, []string{"metadata", "name"}, f)
		for i := range all {
			all[i].both = true
		}
		return all
	case "options", "dryRun":
		if !e.takes(f.Path) {
			return nil
		}
		fallthrough
	case "userInfo":
		return d.newEdits([]string{requestPart}, d.requestType, f.Path, f)
	}
	return nil
}

// takes reports whether requests of the operation have an option.
func (e *Endpoint) takes(path []string) bool {
	ofWrites := []string{"fieldManager", "fieldValidation"}
	switch {
	case e.Operation == admissionv1.Connect:
		return false
	case path[0] == "dryRun":
		return true
	}
	return len(path) > 1 && slices.Contains(ofWrites, path[1]) == (e.Operation != admissionv1.Delete)
}

// editsOfObject returns the edits of a field of an object: in the object, in the stored
// object, at the path itself, and where an object of another kind has the same.
func (d *Drawer) editsOfObject(e *Endpoint, f *mention.Field) []edit {
	var parts []string
	if e.Operation != admissionv1.Delete {
		parts = append(parts, "object")
	}
	if e.Operation == admissionv1.Update || e.Operation == admissionv1.Delete {
		parts = append(parts, "oldObject")
	}
	var all []edit
	for _, path := range alternatives(e.of, f.Path) {
		for _, p := range parts {
			all = append(all, d.newEdits([]string{requestPart, p}, e.of, path, f)...)
		}
	}
	return all
}

// newEdits returns the edit of a field of a type; none if the type does not have it.
func (d *Drawer) newEdits(base []string, of *Type, path []string, f *mention.Field) []edit {
	at, name, ok := of.at(path)
	if !ok || len(path) == 0 {
		return nil // an object itself is there by the operation
	}
	x := edit{base: base, path: path, of: of, values: at.values(name, f)}
	for _, v := range f.Values {
		if slices.Contains(scalars(x.values), v) && len(x.constants) < 4 {
			x.constants = append(x.constants, v)
		}
	}
	return []edit{x}
}

// scalars returns the values that are scalars.
func scalars(values []any) []any {
	var all []any
	for _, v := range values {
		switch v.(type) {
		case string, int64, bool:
			all = append(all, v)
		}
	}
	return all
}

// anyKey returns a key that is there, or a new one: the value, if it may be the key that is
// compared.
func anyKey(of map[string]any, value any, choice func(int) int) string {
	keys := slices.Sorted(maps.Keys(of))
	if i := choice(len(keys) + 1); i < len(keys) {
		return keys[i]
	}
	if word, isText := value.(string); isText && word != "" {
		return word
	}
	return "a"
}

// isElement reports whether a step leads to an element of a list: Any, or a position as in
// a JSON pointer. Another step leads to a field of the elements.
func isElement(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil || step == mention.Any
}

// at returns the type of a field, and its name. A step to an element of what is no list
// or mapping leads nowhere.
func (t *Type) at(path []string) (of *Type, name string, ok bool) {
	for _, step := range path {
		if t.form == list && !isElement(step) {
			t = t.elem
		}
		switch t.form {
		case object:
			f := t.field(step)
			if f == nil {
				return nil, "", false
			}
			t, name = f.of, f.name
		case list, mapping:
			t = t.elem
		case anything:
		default:
			if !isElement(step) {
				return nil, "", false
			}
		}
	}
	return t, name, true
}

// templates are where kinds have a pod template.
var templates = [][]string{
	{"spec", "template"}, {"spec", "jobTemplate", "spec", "template"}, {"template"},
}

// alternatives returns the paths to a field: its own, those in and out of pod templates,
// and those through other lists with such elements.
func alternatives(t *Type, path []string) [][]string {
	paths := [][]string{path}
	for _, template := range templates {
		paths = append(paths, slices.Concat(template, path))
		if len(path) > len(template) && slices.Equal(path[:len(template)], template) {
			paths = append(paths, path[len(template):])
		}
	}
	var all [][]string
	for _, p := range paths {
		if _, _, ok := t.at(p); !ok {
			continue
		}
		all = append(all, p)
		all = append(all, siblings(t, p)...)
	}
	return all
}

// siblings returns the paths to the same field through other lists of the same object.
func siblings(t *Type, path []string) [][]string {
	var all [][]string
	for i, step := range path {
		if t.form == object && i+2 < len(path) && path[i+1] == mention.Any {
			for _, f := range t.fields {
				p := slices.Concat(path[:i], []string{f.name}, path[i+1:])
				if _, _, ok := t.at(slices.Concat([]string{f.name}, path[i+1:])); ok &&
					f.name != step && f.of.form == list {
					all = append(all, p)
				}
			}
		}
		next, _, ok := t.at(path[i : i+1])
		if !ok {
			return all
		}
		t = next
	}
	return all
}

// apply makes the edit with one of its values. choice chooses among the elements of
// lists.
func (x *edit) apply(c *Case, value any, choice func(n int) int) {
	if x.both {
		x.applyAt([]string{requestPart, "oldObject"}, c, value, choice)
	}
	x.applyAt(x.base, c, value, choice)
	user, ok := get(c.Fields, requestPart, "userInfo").(map[string]any)
	if name, _ := user["username"].(string); ok && name == "" {
		user["username"] = requests.DefaultUser
	}
}

func (x *edit) applyAt(base []string, c *Case, value any, choice func(n int) int) {
	parent, _ := get(c.Fields, base[:len(base)-1]...).(map[string]any)
	if len(base) == 1 {
		parent = c.Fields
	}
	last := base[len(base)-1]
	if parent == nil || parent[last] == nil && last != namespacePart {
		return
	}
	parent[last] = x.of.set(parent[last], last, x.path, clone(value), choice)
	if _, none := parent[last].(absent); none {
		delete(parent, last)
	}
}

// set returns a value of the type with a field set, or absent{}.
func (t *Type) set(v any, name string, path []string, value any, choice func(int) int) any {
	if len(path) == 0 {
		return value
	}
	switch t.form {
	case object:
		return t.setField(v, path, value, choice)
	case list:
		return t.setElement(v, name, path, value, choice)
	case mapping, anything:
		return t.setKey(v, path, value, choice)
	}
	return value // the step to an element of a scalar
}

func (t *Type) setField(v any, path []string, value any, choice func(int) int) any {
	f := t.field(path[0])
	of, ok := v.(map[string]any)
	if !ok {
		if _, none := value.(absent); none {
			return v
		}
		of, _ = t.fill(path[0], 1).(map[string]any)
	}
	if f == nil || of == nil {
		return v
	}
	next := f.of.set(of[f.name], f.name, path[1:], value, choice)
	if _, none := next.(absent); none || next == nil {
		delete(of, f.name)
	} else {
		of[f.name] = next
	}
	return of
}

func (t *Type) setElement(
	v any, name string, path []string, value any, choice func(int) int,
) any {
	all, _ := v.([]any)
	rest := path[1:]
	if !isElement(path[0]) {
		rest = path
	}
	i := choice(len(all) + 1)
	if i == len(all) {
		if _, none := value.(absent); none && len(all) == 0 {
			return v
		}
		all = append(all, t.element(name, int64(i), 1))
	}
	next := t.elem.set(all[i], name, rest, value, choice)
	if _, none := next.(absent); none {
		return slices.Delete(all, i, i+1)
	}
	all[i] = next
	return all
}

func (t *Type) setKey(v any, path []string, value any, choice func(int) int) any {
	of, ok := v.(map[string]any)
	if !ok {
		if v != nil && t.form == anything {
			return v
		}
		of = map[string]any{}
	}
	key := path[0]
	if key == mention.Any {
		key = anyKey(of, value, choice)
	}
	elem := t.elem
	if elem == nil {
		elem = t
	}
	next := elem.set(of[key], key, path[1:], value, choice)
	if _, none := next.(absent); none {
		delete(of, key)
	} else {
		of[key] = next
	}
	return of
}
