package merge

import (
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// decode returns the object in a patched document, with the kind and Go type of
// the stored one. The errors that it is given, of the patch, count like its own.
func (m *Merger) decode(document []byte, stored runtime.Object, strict []error) (runtime.Object, error) {
	object, err := m.read(document, stored, strict)
	if err != nil {
		return nil, invalid(err)
	}
	return object, nil
}

func (m *Merger) read(document []byte, stored runtime.Object, strict []error) (runtime.Object, error) {
	kind := stored.GetObjectKind().GroupVersionKind()
	stated, err := json.DefaultMetaFactory.Interpret(document)
	if err != nil {
		return nil, err
	}
	if err := checkKind(*stated, kind); err != nil {
		return nil, err
	}
	into, err := m.blank(*stated, stored)
	if err != nil {
		return nil, err
	}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, m.objects.GetObjectCreater(), m.objects.GetObjectTyper(), json.SerializerOptions{Strict: true})
	object, _, err := serializer.Decode(document, nil, into)
	if custom, ok := object.(*unstructured.Unstructured); ok {
		strict = append(strict, checkMetadata(custom)...)
	}
	if err := strictly(err, strict); err != nil {
		return nil, err
	}
	m.objects.GetObjectDefaulter().Default(object)
	if *stated == kind {
		object.GetObjectKind().SetGroupVersionKind(kind)
		return object, nil
	}
	return m.objects.GetObjectConvertor().ConvertToVersion(object, kind.GroupVersion())
}

// checkKind finds out whether a document is of a version of the kind. As on a
// server, another version will do if there is a conversion.
func checkKind(stated, kind schema.GroupVersionKind) error {
	switch {
	case stated.Kind == "":
		return fmt.Errorf("the patch removes kind, which is %s", kind.Kind)
	case stated.Version == "":
		return fmt.Errorf("the patch removes apiVersion, which is %s", kind.GroupVersion())
	case stated.Kind != kind.Kind:
		return fmt.Errorf("the patch changes kind from %s to %s", kind.Kind, stated.Kind)
	}
	return nil
}

func (m *Merger) blank(kind schema.GroupVersionKind, like runtime.Object) (runtime.Object, error) {
	if isCustom(like) {
		return &unstructured.Unstructured{}, nil
	}
	return m.objects.GetObjectCreater().New(kind)
}

// checkMetadata finds unknown fields in the one part of custom objects whose
// fields are known.
func checkMetadata(custom *unstructured.Unstructured) []error {
	metadata, ok := custom.Object["metadata"]
	if !ok {
		return nil
	}
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(map[string]any{"metadata": metadata}, &metav1.PartialObjectMetadata{}, true)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		return strict.Errors()
	}
	if err != nil {
		return []error{fmt.Errorf("metadata: %w", err)}
	}
	return nil
}

// strictly adds what strictness found before to an error of decoding. Other errors
// come first, because where decoding ends, what is unknown is not known.
func strictly(err error, before []error) error {
	strict, ok := runtime.AsStrictDecodingError(err)
	if err != nil && !ok {
		return err
	}
	all := slices.Clone(before)
	if ok {
		all = append(all, strict.Errors()...)
	}
	if len(all) == 0 {
		return nil
	}
	return runtime.NewStrictDecodingError(all)
}

// invalid is the error for a patch whose result is no such object. A server quotes the
// object, or the patch, which may be that of a Secret: here they are left out.
func invalid(err error) error {
	wrong := field.Invalid(field.NewPath("patch"), field.OmitValueType{}, err.Error())
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{wrong})
}
