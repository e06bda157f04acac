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
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// Object decodes a patched document into a new object of the kind. It is
// unstructured if the object that was patched is; like kube-apiserver it does
// not mind fields that it does not know (S-178). No error holds content of the
// object.
func Object(patched []byte, like runtime.Object, kind schema.GroupVersionKind, o apiadmission.ObjectInterfaces) (runtime.Object, error) {
	into, err := blank(like, kind, o)
	if err != nil {
		return nil, err
	}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, o.GetObjectCreater(), o.GetObjectTyper(), json.SerializerOptions{})
	object, _, err := serializer.Decode(patched, nil, into)
	if err != nil {
		return nil, discreet(err)
	}
	return object, nil
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
