package patch

import (
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// Operations is a decoded JSON patch. As JSON it is the patch with the members of
// every operation in alphabetical order.
type Operations = jsonpatch.Patch

// Decode reads a JSON patch. No operations, as in "[]" and "null", is a valid
// patch of length 0.
func Decode(patch []byte) (Operations, error) {
	return jsonpatch.DecodePatch(patch)
}

// Apply returns the document with the operations applied. Neither argument is
// modified.
func Apply(operations Operations, document []byte) (patched []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			patched, err = nil, fmt.Errorf("patch cannot be applied: %v", r)
		}
	}()
	return operations.Apply(document)
}

// Object decodes a patched document into a new object of the kind. It is
// unstructured if the object that was patched is; like kube-apiserver it does
// not mind fields that it does not know (S-178).
func Object(patched []byte, like runtime.Object, kind schema.GroupVersionKind, o apiadmission.ObjectInterfaces) (runtime.Object, error) {
	into, err := blank(like, kind, o)
	if err != nil {
		return nil, err
	}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, o.GetObjectCreater(), o.GetObjectTyper(), json.SerializerOptions{})
	object, _, err := serializer.Decode(patched, nil, into)
	return object, err
}

func blank(like runtime.Object, kind schema.GroupVersionKind, o apiadmission.ObjectInterfaces) (runtime.Object, error) {
	if _, custom := like.(*unstructured.Unstructured); custom {
		return &unstructured.Unstructured{}, nil
	}
	return o.GetObjectCreater().New(kind)
}
