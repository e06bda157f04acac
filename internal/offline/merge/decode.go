package merge

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	kjson "sigs.k8s.io/json"

	"example.com/gatehouse/internal/manifest"
)

// decode returns the object in a patched document, with the kind and Go type of
// the stored one. strict are errors of the patch, which are added to those of
// decoding.
func (m *Merger) decode(
	document []byte, stored runtime.Object, strict []error,
) (runtime.Object, error) {
	object, err := m.read(document, stored, strict)
	if err != nil {
		return nil, invalid(err)
	}
	return object, nil
}

func (m *Merger) read(
	document []byte, stored runtime.Object, strict []error,
) (runtime.Object, error) {
	kind := stored.GetObjectKind().GroupVersionKind()
	stated, err := m.stated(document, kind)
	if err != nil {
		return nil, err
	}
	into, err := m.blank(stated, stored)
	if err != nil {
		return nil, err
	}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, m.objects.GetObjectCreater(),
		m.objects.GetObjectTyper(), json.SerializerOptions{Strict: true})
	object, _, err := serializer.Decode(document, nil, into)
	if custom, ok := object.(*unstructured.Unstructured); ok {
		strict = append(strict, checkMetadata(custom)...)
	}
	if strict, ok := strictly(err, strict); !ok {
		return nil, m.documentError(document, err, stated, stored)
	} else if strict != nil {
		return nil, strict
	}
	m.objects.GetObjectDefaulter().Default(object)
	if stated == kind {
		object.GetObjectKind().SetGroupVersionKind(kind)
		return object, nil
	}
	return m.objects.GetObjectConvertor().ConvertToVersion(object, kind.GroupVersion())
}

// stated returns the kind in a document, which must be a version of kind. As on
// a server, another version is valid if there is a conversion. No error quotes
// it: the patch may have copied a secret there.
func (m *Merger) stated(
	document []byte, kind schema.GroupVersionKind,
) (schema.GroupVersionKind, error) {
	stated, err := json.DefaultMetaFactory.Interpret(document)
	switch {
	case err != nil:
		err = fmt.Errorf("the patched object has no readable apiVersion and kind, such as %s and %s",
			kind.GroupVersion(), kind.Kind)
	case stated.Kind == "":
		err = fmt.Errorf("the patch removes kind, which is %s", kind.Kind)
	case stated.Version == "":
		err = fmt.Errorf("the patch removes apiVersion, which is %s", kind.GroupVersion())
	case stated.Kind != kind.Kind:
		err = fmt.Errorf("the patch changes kind, which is %s", kind.Kind)
	case *stated != kind && !m.objects.GetObjectTyper().Recognizes(*stated):
		err = fmt.Errorf("the patch changes apiVersion, which is %s, to a version without the kind %s",
			kind.GroupVersion(), kind.Kind)
	default:
		return *stated, nil
	}
	return kind, err
}

// documentError is decodeError for a document. The fields of custom objects
// have no Go types.
func (m *Merger) documentError(
	document []byte, err error, kind schema.GroupVersionKind, like runtime.Object,
) error {
	var fields map[string]any
	if isCustom(like) || kjson.UnmarshalCaseSensitivePreserveInts(document, &fields) != nil {
		return errors.New(reason(err))
	}
	return decodeError(err, fields, func() any {
		blank, _ := m.blank(kind, like)
		return blank
	})
}

func (m *Merger) blank(kind schema.GroupVersionKind, like runtime.Object) (runtime.Object, error) {
	if isCustom(like) {
		return &unstructured.Unstructured{}, nil
	}
	return m.objects.GetObjectCreater().New(kind)
}

// checkMetadata returns the errors of the metadata of a custom object.
// checkIdentity reports missing metadata.
func checkMetadata(custom *unstructured.Unstructured) (all []error) {
	metadata := custom.Object["metadata"]
	if metadata == nil {
		return nil
	}
	unknown, err := manifest.UnknownMetadata(metadata)
	if cause := errors.Unwrap(err); cause != nil {
		return []error{fmt.Errorf("metadata: %s", reason(cause))}
	}
	if err != nil {
		return []error{err}
	}
	for _, path := range unknown {
		all = append(all, fmt.Errorf(`unknown field "metadata.%s"`, path))
	}
	return all
}

// strictly joins the strict errors before and those in an error of decoding. ok
// is false if err is another error; decoding then ended before it found all
// unknown fields.
func strictly(err error, before []error) (all error, ok bool) {
	strict, ok := runtime.AsStrictDecodingError(err)
	if err != nil && !ok {
		return nil, false
	}
	found := slices.Clone(before)
	if ok {
		found = append(found, strict.Errors()...)
	}
	if len(found) == 0 {
		return nil, true
	}
	return runtime.NewStrictDecodingError(found), true
}

// invalid returns the error for a patch whose result is no object of the kind.
// It has the code and the reason of a server's error, which quotes the object.
func invalid(err error) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusUnprocessableEntity,
		Reason:  metav1.StatusReasonInvalid,
		Message: err.Error(),
	}}
}
