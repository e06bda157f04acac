package suitefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"example.com/gatehouse/internal/manifest"
)

// readConfigurations separates paths and inline objects.
func (r *reader) readConfigurations() {
	at := r.at("configurations")
	if len(r.file.Configurations) == 0 {
		at.wrong("required: the paths of files and folders, or objects")
	}
	for i, raw := range r.file.Configurations {
		r.readConfiguration(at.item(i), raw)
	}
}

func (r *reader) readConfiguration(at fieldPath, raw json.RawMessage) {
	path, err := pathIn(raw)
	switch {
	case err != nil:
		at.check(err)
	case path != "":
		path = r.resolve(path)
		_, err := stat(path)
		at.check(err)
		r.suite.Configs = append(r.suite.Configs, path)
	default:
		object, err := r.document.Part(at.path)
		if err != nil {
			r.note(at.path, err)
			return
		}
		r.suite.Inline = append(r.suite.Inline, object)
	}
}

// pathIn returns the path in a field that takes a path or an object; "" for an
// object.
func pathIn(raw json.RawMessage) (string, error) {
	switch {
	case !present(raw):
		return "", errors.New("required: the path of a file, or an object")
	case raw[0] == '{':
		return "", nil
	case raw[0] != '"':
		return "", errors.New("must be the path of a file, or an object")
	}
	var path string
	if err := json.Unmarshal(raw, &path); err != nil {
		return "", err
	}
	if path == "" {
		return "", errors.New("the path is empty")
	}
	return path, nil
}

// present reports whether a field has a value other than null.
func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// readNamespaces makes a document, with its position, of each namespace.
func (r *reader) readNamespaces() {
	at, first := r.at("namespaces"), map[string]fieldPath{}
	for i := range r.file.Namespaces {
		from, at := &r.file.Namespaces[i], at.item(i)
		if !at.unique(from.Name, first) {
			continue
		}
		at.at("name").check(checkNamespace(from.Name))
		checkLabels(at.at("labels"), from)
		r.suite.Inline = append(r.suite.Inline, r.namespace(at, from))
	}
}

func checkLabels(at fieldPath, from *Namespace) {
	for _, key := range slices.Sorted(maps.Keys(from.Labels)) {
		value, at := from.Labels[key], at.at(key)
		at.check(invalid(key, validation.IsQualifiedName(key)))
		at.check(invalid(value, validation.IsValidLabelValue(value)))
		if key == corev1.LabelMetadataName && value != from.Name {
			at.wrong("%q: must be the name of the namespace", value)
		}
	}
}

func (r *reader) namespace(at fieldPath, from *Namespace) *manifest.Document {
	gvk := corev1.SchemeGroupVersion.WithKind("Namespace")
	metadata := map[string]any{"name": from.Name}
	if len(from.Labels) > 0 {
		metadata["labels"] = from.Labels
	}
	// Maps of strings can always be marshalled.
	object, _ := json.Marshal(map[string]any{"apiVersion": gvk.Version, "kind": gvk.Kind, "metadata": metadata})
	item := at.path
	if r.document.Item != "" {
		item = fmt.Sprintf("%s.%s", r.document.Item, item)
	}
	return &manifest.Document{Position: r.document.At(at.path), Item: item, Kind: gvk, JSON: object}
}
