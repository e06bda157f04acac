package webhooktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/internal/manifest"
)

// maxValue is the limit for texts, as for files.
const maxValue = 32 << 20

// documentOf returns the document of an object. name is for errors.
func documentOf(name string, object any) (*manifest.Document, error) {
	all, err := documentsOf(name, object)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fmt.Errorf("%s: holds nothing", name)
	case len(all) > 1:
		return nil, fmt.Errorf("%s: holds %d objects, but one is wanted", name, len(all))
	}
	return all[0], nil
}

// documentsOf returns the documents of an object, or of the objects in a text.
func documentsOf(name string, object any) ([]*manifest.Document, error) {
	switch text := object.(type) {
	case string:
		return read(name, text)
	case []byte:
		return read(name, string(text))
	}
	d, err := encode(name, object)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []*manifest.Document{d}, nil
}

// read decodes YAML or JSON.
func read(name, text string) ([]*manifest.Document, error) {
	var all []*manifest.Document
	var problems []error
	for d, err := range manifest.Documents(name, strings.NewReader(text)) {
		all, problems = append(all, d), append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return all, nil
}

// encode returns the document of a Go value.
func encode(name string, object any) (*manifest.Document, error) {
	if v := reflect.ValueOf(object); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fmt.Errorf("a %T is nil", object)
	}
	if typed, ok := object.(apiruntime.Object); ok {
		object = withKind(typed)
	}
	text, err := marshal(object)
	if err != nil {
		return nil, err
	}
	var meta metav1.TypeMeta
	if err := json.Unmarshal(text, &meta); err != nil {
		return nil, fmt.Errorf("a %T is no object", object)
	}
	kind := schema.FromAPIVersionAndKind(meta.APIVersion, meta.Kind)
	if kind.Version == "" || kind.Kind == "" {
		return nil, errors.Join(needsPointer(object), fmt.Errorf("a %T without apiVersion and kind", object))
	}
	return &manifest.Document{Position: position(name), Kind: kind, JSON: text}, nil
}

// withKind returns an object with apiVersion and kind, set from its type if
// they are missing and the type is known.
func withKind(object apiruntime.Object) apiruntime.Object {
	if !object.GetObjectKind().GroupVersionKind().Empty() {
		return object
	}
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if _, ok := object.(*apiextensionsv1.CustomResourceDefinition); ok {
		// client-go does not know it.
		kinds, err = []schema.GroupVersionKind{apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")}, nil
	}
	if err != nil || len(kinds) == 0 {
		return object // encode reports the missing kind
	}
	object = object.DeepCopyObject()
	object.GetObjectKind().SetGroupVersionKind(kinds[0])
	return object
}

// valueOf returns the JSON of a value without a kind: a text in YAML or JSON,
// or a Go value.
func valueOf(v any) (json.RawMessage, error) {
	switch text := v.(type) {
	case string:
		return manifest.Value("the text", strings.NewReader(text), maxValue)
	case []byte:
		return valueOf(string(text))
	}
	return marshal(v)
}

// caller returns the position of the caller's caller in a test, as FILE:LINE.
func caller() string {
	_, file, line, ok := runtime.Caller(2)
	if !ok {
		return "(unknown place)"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// errorText returns the text of an error without the positions of documents
// made from Go values.
func errorText(err error) string {
	return strings.ReplaceAll(err.Error(), manifest.Position{}.String(), "")
}

// marshal is json.Marshal with an error that names the type.
func marshal(v any) (json.RawMessage, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("a %T cannot be written as JSON: %w", v, err)
	}
	return text, nil
}

// position is the position of a document that is in no file.
func position(name string) manifest.Position { return manifest.Position{File: name} }
