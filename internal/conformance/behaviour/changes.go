package behaviour

import (
	"encoding/json"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

// most is how many paths a finding has.
const most = 20

// identity is what says which object it is. It is what C-IDENTITY is about.
func identity() []string {
	return []string{
		"metadata.name", "metadata.generateName", "metadata.namespace", "metadata.uid",
		"metadata.creationTimestamp", "metadata.resourceVersion",
	}
}

// managedFields is what C-MANAGED-FIELDS is about.
func managedFields() []string { return []string{"metadata.managedFields"} }

// changes returns what is different between two states of an object, without that which
// other checks are about, the kind included.
func changes(before, after runtime.Object) []explain.Change {
	return slices.DeleteFunc(differences(encoded(before), encoded(after)), func(c explain.Change) bool {
		return c.Path == "apiVersion" || c.Path == "kind" || within(c.Path, identity()) || within(c.Path, managedFields())
	})
}

// differences are those of explain.Diff. There are none if one of the two is no JSON, which
// is for other checks to say.
func differences(before, after json.RawMessage) []explain.Change {
	all, err := explain.Diff(before, after)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(c explain.Change) bool {
		return c.Op != "move" && isNothing(c.Old) && isNothing(c.New)
	})
}

// isNothing reports whether a value is null or not there, which is the same to
// kube-apiserver.
func isNothing(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// encoded returns an object as JSON; nil for what has none.
func encoded(object runtime.Object) json.RawMessage {
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return text
}

// within reports whether a path is one of the parts, or in one.
func within(path string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		rest, ok := strings.CutPrefix(path, part)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// touches reports whether a change at a path is one of a part: it is the part, in it, or
// what the part is in.
func touches(path string, parts []string) bool {
	return within(path, parts) || slices.ContainsFunc(parts, func(part string) bool { return within(part, []string{path}) })
}

// paths returns where the changes are, each place once.
func paths(all []explain.Change) []string {
	var places []string
	seen := map[string]bool{}
	for _, c := range all {
		if !seen[c.Path] {
			seen[c.Path] = true
			places = append(places, c.Path)
		}
	}
	return places
}

// finding returns a finding about some places, of which it has the first.
func finding(sample string, where []string, evidence ...*probe.Exchange) check.Finding {
	return check.Finding{Sample: sample, Paths: where[:min(most, len(where))], Evidence: evidence}
}
