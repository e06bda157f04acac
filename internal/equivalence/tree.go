package equivalence

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
)

// find returns the value at a path of a tree of JSON.
func find(tree any, path []string) (any, bool) {
	for _, step := range path {
		switch of := tree.(type) {
		case map[string]any:
			next, ok := of[step]
			if !ok {
				return nil, false
			}
			tree = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(of) {
				return nil, false
			}
			tree = of[i]
		default:
			return nil, false
		}
	}
	return tree, true
}

// replace sets the value at a path whose parent exists, and reports whether it does.
func replace(tree map[string]any, path []string, value any) bool {
	parent, ok := find(tree, path[:len(path)-1])
	last := path[len(path)-1]
	if !ok {
		return false
	}
	switch of := parent.(type) {
	case map[string]any:
		of[last] = runtime.DeepCopyJSONValue(value)
		return true
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil || i < 0 || i >= len(of) {
			return false
		}
		of[i] = runtime.DeepCopyJSONValue(value)
		return true
	}
	return false
}

// cutOut removes the value at a path, and reports whether it was there.
func cutOut(tree map[string]any, path []string) bool {
	if _, ok := find(tree, path); !ok {
		return false
	}
	parent, _ := find(tree, path[:len(path)-1])
	last := path[len(path)-1]
	switch of := parent.(type) {
	case map[string]any:
		delete(of, last)
		return true
	case []any:
		i, _ := strconv.Atoi(last) // find has found it
		return replace(tree, path[:len(path)-1], slices.Delete(slices.Clone(of), i, i+1))
	}
	return false
}
