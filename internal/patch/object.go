package patch

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// Object decodes a patched document into a new object of the kind. It is
// unstructured if the object that was patched is; like kube-apiserver it does
// not mind fields that it does not know (S-178). No error holds content of the
// object.
//
// If the operations leave the kind alone and the object was of that kind, the
// document need not be asked what it is.
func Object(patched []byte, operations Operations, like runtime.Object, kind schema.GroupVersionKind, o apiadmission.ObjectInterfaces) (runtime.Object, error) {
	into, err := blank(like, kind, o)
	if err != nil {
		return nil, err
	}
	if like.GetObjectKind().GroupVersionKind() == kind && keepsKind(operations) {
		if err := decode(patched, into); err != nil {
			return nil, discreet(err)
		}
		return into, nil
	}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, o.GetObjectCreater(), o.GetObjectTyper(), json.SerializerOptions{})
	object, _, err := serializer.Decode(patched, nil, into)
	if err != nil {
		return nil, discreet(err)
	}
	return object, nil
}

// decode reads an object whose kind is known.
func decode(patched []byte, into runtime.Object) error {
	custom, ok := into.(*unstructured.Unstructured)
	if !ok {
		return utiljson.Unmarshal(patched, into)
	}
	return utiljson.Unmarshal(patched, &custom.Object)
}

func blank(like runtime.Object, kind schema.GroupVersionKind, o apiadmission.ObjectInterfaces) (runtime.Object, error) {
	if _, custom := like.(*unstructured.Unstructured); custom {
		return &unstructured.Unstructured{}, nil
	}
	return o.GetObjectCreater().New(kind)
}
