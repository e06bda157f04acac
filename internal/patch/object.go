package patch

import (
	"errors"
	"fmt"
	"strings"
	"time"

	stdjson "encoding/json"

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

// discreet takes the object's content out of an error of decoding. kube-apiserver
// shows it, all of it where the kind is missing, to the user and to the log.
func discreet(err error) error {
	const instead = "the patched object"
	var wrongType *stdjson.UnmarshalTypeError
	var noTime *time.ParseError
	switch {
	case runtime.IsMissingKind(err):
		return runtime.NewMissingKindErr(instead)
	case runtime.IsMissingVersion(err):
		return runtime.NewMissingVersionErr(instead)
	case errors.As(err, &wrongType) && strings.HasPrefix(wrongType.Value, "number "):
		without := *wrongType
		without.Value = "number"
		return &without
	case errors.As(err, &noTime):
		return fmt.Errorf("parsing time as %q: not in that form", noTime.Layout)
	default:
		return err
	}
}
