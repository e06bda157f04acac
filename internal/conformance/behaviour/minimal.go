package behaviour

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"reflect"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// patches is the check of what is in a patch.
func patches() []check.Check {
	return []check.Check{{
		Check: report.Check{
			ID: "C-MINIMAL-PATCH", Group: report.Behaviour, Level: report.Should,
			Title: "replaces no more than it changes",
			Why:   "A list or an object that is replaced as a whole is what the webhook understood of it: where it went through types, fields that are newer than these are lost. And whoever looks for what was changed, in the audit log for instance, finds all of it.",
			Fix:   "Add, replace and remove single items and fields: {\"op\": \"add\", \"path\": \"/spec/containers/-\", …} instead of replacing /spec/containers. Compute patches from the JSON that was received rather than from Go types.",
		},
		Each: ifMutating(replacesLittle),
	}}
}

func replacesLittle(_ context.Context, w *probe.Webhook, r *check.Record) {
	r.Lacks("no answer has a patch that applies to an object")
	for _, x := range w.Answered() {
		if _, err := x.Patched(); err != nil || len(x.Answer.Patch) == 0 {
			continue
		}
		r.Saw()
		for _, pointer := range wholesale(x) {
			r.Find(finding(x.Sample, place(pointer), x),
				"the patch replaces all of %s, and some of it by the same", cmp.Or(pointer, "the object"))
		}
	}
}

// place is a JSON pointer as a path; none for that of the whole object.
func place(pointer string) []string {
	path, err := explain.ParsePath(pointer)
	if err != nil || pointer == "" {
		return nil
	}
	return []string{path.String()}
}

// operation is one of a patch.
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	From  string          `json:"from"`
	Value json.RawMessage `json:"value"`
}

// value returns the value decoded; nil if there is none.
func (o *operation) value() any {
	var value any
	if utiljson.Unmarshal(o.Value, &value) != nil {
		return nil
	}
	return value
}

// wholesale returns the JSON pointers to the objects and lists that a patch replaces although
// some of what was in them stays. It ends at an operation that only the library understands
// which applies patches: an index below zero, for instance.
func wholesale(x *probe.Exchange) []string {
	var operations []json.RawMessage
	d := &document{}
	if json.Unmarshal(x.Answer.Patch, &operations) != nil || utiljson.Unmarshal(x.Object(), &d.root) != nil {
		return nil
	}
	var found []string
	for _, raw := range operations {
		o := &operation{}
		if json.Unmarshal(raw, o) != nil {
			break
		}
		if old, ok := d.overwritten(o); ok && keepsSome(old, o.value()) {
			found = append(found, o.Path)
		}
		if !d.apply(o) {
			break
		}
	}
	return found
}

// overwritten returns the object or list that an operation puts another one in place of;
// false if it does no such thing.
func (d *document) overwritten(o *operation) (any, bool) {
	if o.Op != "add" && o.Op != "replace" || !isContainer(o.Value) {
		return nil, false
	}
	parent, _, _ := cutLast(o.Path, "/")
	in, _ := d.at(parent)
	if _, isList := in.([]any); isList && o.Op == "add" {
		return nil, false // it is put between others
	}
	return d.at(o.Path)
}

// isContainer reports whether a value is an object or a list.
func isContainer(value json.RawMessage) bool {
	value = bytes.TrimSpace(value)
	return len(value) > 0 && (value[0] == '{' || value[0] == '[')
}

// keepsSome reports whether something of an object or a list is in the value that takes its
// place. Of lists of plain values it has to be all: there is no telling one from another.
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
