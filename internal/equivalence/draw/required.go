package draw

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// deepest is the maximum depth of a filled value: some types contain themselves.
const deepest = 12

// largest is the maximum number of elements of a filled list, with those of the lists in
// it, and of letters of a text. An API server rejects the value if its type needs more.
const largest = 1 << 16

// words are values of required texts whose form an API server checks, by their field.
var words = map[string]string{
	"image":         "example.com/a",
	"schedule":      "0 0 * * *",
	"mountPath":     "/a",
	"path":          "/",
	"apiVersion":    "v1",
	"restartPolicy": "Never",
}

// fill returns the smallest value of a type: the required fields only. name is the field
// that it is for.
func (t *Type) fill(name string, depth int) any { return t.fillUpTo(largest, name, depth) }

// fillUpTo is fill with another maximum than largest.
func (t *Type) fillUpTo(most int64, name string, depth int) any {
	if len(t.enum) > 0 {
		return t.enum[0]
	}
	switch t.form {
	case object:
		all := map[string]any{}
		for _, f := range t.fields {
			if f.required && depth < deepest {
				all[f.name] = f.of.fillUpTo(most, f.name, depth+1)
			}
		}
		if t.isContainer() {
			all["name"], all["image"] = (name + "c")[:1], words["image"]
		}
		return all
	case list:
		all := []any{}
		n := min(max(1, t.leastOr(0)), most)
		for i := range n {
			all = append(all, t.elementUpTo(most/n, name, i, depth))
		}
		return all
	case mapping:
		return map[string]any{}
	case text:
		return t.fillText(most, name)
	case integer:
		return t.leastOr(1)
	case number:
		return float64(1)
	case boolean:
		return false
	case quantity:
		return "1"
	case timestamp:
		return "2026-01-01T00:00:00.000000Z"
	case binary:
		return "YQ=="
	case intOrText:
		return int64(80)
	}
	return map[string]any{}
}

// isContainer reports whether the type is that of containers, whose image is required
// although it has omitempty.
func (t *Type) isContainer() bool {
	return t.field("image") != nil && t.field("imagePullPolicy") != nil
}

// element returns the element of a list at a position, which differs from the others.
func (t *Type) element(name string, position int64, depth int) any {
	return t.elementUpTo(largest, name, position, depth)
}

// elementUpTo is element with another maximum than largest.
func (t *Type) elementUpTo(most int64, name string, position int64, depth int) any {
	e := t.elem.fillUpTo(most, name, depth+1)
	of, ok := e.(map[string]any)
	if !ok || position == 0 && t.unique != servicePort {
		return e
	}
	switch key := of[t.unique].(type) {
	case string:
		of[t.unique] = key + string(rune('a'+position%26))
	case int64:
		of[t.unique] = key + position
	}
	if t.unique == servicePort {
		of["name"] = string(rune('a' + position%26))
	}
	return of
}

// servicePort is what the ports of a service differ by. Several ports need names.
const servicePort = "port"

func (t *Type) leastOr(otherwise int64) int64 {
	if t.least != nil {
		return *t.least
	}
	return otherwise
}

func (t *Type) fillText(most int64, name string) string {
	word, known := words[name]
	switch {
	case t.pattern != "":
		for _, sample := range samples(t.pattern) {
			if t.fits(sample) {
				return sample
			}
		}
	case known:
		return word
	}
	return strings.Repeat("a", int(min(max(1, t.leastOr(1)), most)))
}

// fits reports whether a text has an allowed length.
func (t *Type) fits(word string) bool {
	n := int64(len(word))
	return (t.least == nil || n >= *t.least) && (t.most == nil || n <= *t.most)
}

// wanted are fields that an API server requires of a kind, but the type does not.
type wanted struct {
	path  []string
	value any
}

// wants returns the wanted fields of a kind.
func wants(kind schema.GroupVersionKind) []wanted {
	app := map[string]any{"app": "a"}
	pod := func(path string) wanted { return wanted{strings.Split(path, "."), "Never"} }
	switch kind.Group + "/" + kind.Kind {
	case "apps/Deployment", "apps/ReplicaSet", "apps/StatefulSet", "apps/DaemonSet":
		return []wanted{
			{[]string{"spec", "selector", "matchLabels"}, app},
			{[]string{"spec", "template", "metadata", "labels"}, app},
			{[]string{"spec", "template", "spec", "containers"}, []any{
				map[string]any{"name": "c", "image": words["image"]},
			}},
		}
	case "/Service":
		return []wanted{{[]string{"spec", "ports"}, []any{map[string]any{"port": int64(80)}}}}
	case "batch/Job":
		return []wanted{pod("spec.template.spec.restartPolicy")}
	case "batch/CronJob":
		return []wanted{pod("spec.jobTemplate.spec.template.spec.restartPolicy")}
	}
	return nil
}

// Required returns the smallest object of a kind with a type.
func Required(kind schema.GroupVersionKind, t *Type) map[string]any {
	all, _ := t.fill("", 0).(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	for _, w := range wants(kind) {
		put(all, w.path, w.value)
	}
	all["apiVersion"], all["kind"] = kind.GroupVersion().String(), kind.Kind
	if t.field("metadata") != nil {
		all["metadata"] = map[string]any{"name": "a"}
	}
	return all
}
