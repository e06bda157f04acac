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

// maxPaths is the number of paths that a finding lists.
const maxPaths = 20

// identity are the fields that identify an object, which C-IDENTITY checks.
func identity() []string {
	return []string{
		"metadata.name", "metadata.generateName", "metadata.namespace", "metadata.uid",
		"metadata.creationTimestamp", "metadata.resourceVersion",
	}
}

// managedFields is what C-MANAGED-FIELDS checks.
func managedFields() []string { return []string{"metadata.managedFields"} }

// changes returns the differences between two states of an object, without
// those that other checks report.
func changes(before, after runtime.Object) []explain.Change {
	return slices.DeleteFunc(diff(encoded(before), encoded(after)), func(c explain.Change) bool {
		return c.Path == "apiVersion" || c.Path == "kind" || within(c.Path, identity()) ||
			within(c.Path, managedFields())
	})
}

// diff is explain.Diff without differences between null and absent. It returns
// nil if one of the objects is no JSON, which other checks report.
func diff(before, after json.RawMessage) []explain.Change {
	all, err := explain.Diff(before, after)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(c explain.Change) bool {
		return c.Op != "move" && isNull(c.Old) && isNull(c.New)
	})
}

// isNull reports whether a value is null or absent, which kube-apiserver does
// not distinguish.
func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// encoded returns an object as JSON; nil if it cannot be encoded.
func encoded(object runtime.Object) json.RawMessage {
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return text
}

// within reports whether a path is one of the parts or inside one.
func within(path string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		rest, ok := strings.CutPrefix(path, part)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// touches reports whether a path is one of the parts, inside one, or contains
// one.
func touches(path string, parts []string) bool {
	return within(path, parts) ||
		slices.ContainsFunc(parts, func(part string) bool { return within(part, []string{path}) })
}

// paths returns the paths of the changes, without duplicates.
func paths(changed []explain.Change) []string {
	var all []string
	seen := map[string]bool{}
	for _, c := range changed {
		if !seen[c.Path] {
			seen[c.Path] = true
			all = append(all, c.Path)
		}
	}
	return all
}

// newFinding returns a finding with at most maxPaths of the paths.
func newFinding(sample string, where []string, evidence ...*probe.Exchange) check.Finding {
	return check.Finding{Sample: sample, Paths: where[:min(maxPaths, len(where))], Evidence: evidence}
}
