package manifest

import (
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// isKustomization reports whether a file has one of the names that kustomize
// looks for.
func isKustomization(path string) bool {
	switch filepath.Base(path) {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return true
	}
	return false
}

// addKustomization marks the files that a kustomization uses for something else
// than as resources: patches, settings of kustomize, contents of ConfigMaps. A
// kustomization that cannot be read uses none; kustomize has the words for it.
func (f *folder) addKustomization(path string) {
	at := filepath.Dir(path)
	f.kustomized[at] = true
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxPiece {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	var fields map[string]any
	if err := yaml.Unmarshal(text, &fields); err != nil {
		return
	}
	for _, resources := range []string{"resources", "bases", "components", "crds"} {
		delete(fields, resources)
	}
	f.markPaths(at, fields)
}

// markPaths marks the files in a folder that a value names.
func (f *folder) markPaths(at string, value any) {
	switch v := value.(type) {
	case string:
		f.foreign[filepath.Join(at, v)] = true
	case []any:
		for _, item := range v {
			f.markPaths(at, item)
		}
	case map[string]any:
		for _, field := range v {
			f.markPaths(at, field)
		}
	}
}

// isForeign reports whether kustomize does not take a file for a resource.
// kubebuilder writes patches that a kustomization has in comments only; their
// names tell them.
func (f *folder) isForeign(path string) bool {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	return f.foreign[path] || f.kustomized[filepath.Dir(path)] && strings.HasSuffix(stem, "_patch")
}
