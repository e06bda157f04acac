package draw

import (
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
)

// put sets a value in a tree of objects, whose parents it makes.
func put(tree map[string]any, path []string, value any) {
	for _, step := range path[:len(path)-1] {
		next, ok := tree[step].(map[string]any)
		if !ok {
			next = map[string]any{}
			tree[step] = next
		}
		tree = next
	}
	tree[path[len(path)-1]] = runtime.DeepCopyJSONValue(value)
}

// get returns the value at a path; nil if there is none.
func get(tree any, path ...string) any {
	for _, step := range path {
		of, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		tree = of[step]
	}
	return tree
}

// Leaves calls visit with the path of each value without parts: scalars, and empty
// objects and lists.
func Leaves(tree any, path string, visit func(path string, value any)) {
	switch of := tree.(type) {
	case map[string]any:
		for name, v := range of {
			Leaves(v, path+"/"+name, visit)
		}
		if len(of) > 0 {
			return
		}
	case []any:
		for i, v := range of {
			Leaves(v, path+"/"+strconv.Itoa(i), visit)
		}
		if len(of) > 0 {
			return
		}
	}
	visit(path, tree)
}
