package protocol

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/conformance/schemas"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/kinds"
)

// patchedKinds are the checks of what comes of a patch.
func patchedKinds() []check.Check {
	return []check.Check{
		each(report.Check{
			ID: "C-PATCHED-KIND", Level: report.Must,
			Title: "makes objects that are of their kind",
			Why:   "If the object is of another kind after the patch, or a field of a built-in kind is of a wrong type, the request is refused with HTTP 500, whatever failurePolicy says. If the schema of a custom resource does not allow a type or a value, it is refused with HTTP 422, as if the user had written that. A field that the kind does not have is dropped without a word.",
			Fix:   "Write only fields of the kind in the version that was sent, spelt and typed as in its API reference. Go types from k8s.io/api make sure of that for built-in kinds, and the CustomResourceDefinition says what a custom resource may have.",
		}, ifMutating(keepsKinds)),
	}
}

func keepsKinds(w *probe.Webhook, r *check.Record) {
	custom := schemas.New(w.Definitions())
	for _, x := range patched(w) {
		after, err := x.Patched()
		kind := (&unstructured.Unstructured{Object: x.Review.Object()}).GroupVersionKind()
		// What the patch does not apply to is not its fault, nor what was wrong before.
		if err != nil || ofKind(w.Objects(), kind, x.Object()) != nil {
			continue
		}
		r.Saw()
		if err = ofKind(w.Objects(), kind, after); err == nil {
			err = worse(custom, kind, x, after)
		}
		if err != nil {
			r.Fail(x, "the patched object is no %s: %v", kinds.Name(kind), err)
		}
	}
	r.Lacks(noPatch)
}

// worse finds out what a patch has made of a custom resource that its schema does not allow.
func worse(custom *schemas.Set, kind schema.GroupVersionKind, x *probe.Exchange, patched []byte) error {
	var after map[string]any
	if err := utiljson.Unmarshal(patched, &after); err != nil {
		return err
	}
	return custom.Worse(kind, x.Review.Object(), after, x.Review.Subresource())
}

// ofKind finds out why an object is not of a kind.
func ofKind(objects apiadmission.ObjectInterfaces, kind schema.GroupVersionKind, object []byte) error {
	into, err := objects.GetObjectCreater().New(kind)
	if err != nil {
		return err
	}
	if _, custom := into.(*unstructured.Unstructured); custom {
		into = &unstructured.Unstructured{} // which looks at the kind that is there
	}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, objects.GetObjectCreater(), objects.GetObjectTyper(), json.SerializerOptions{Strict: true})
	decoded, found, err := serializer.Decode(object, nil, into)
	switch {
	case err != nil:
		return err
	case *found != kind:
		return fmt.Errorf("it is of the kind %s", kinds.Name(*found))
	}
	if custom, ok := decoded.(*unstructured.Unstructured); ok {
		return knownMetadata(custom)
	}
	return nil
}

// knownMetadata finds what is wrong with the one part of a custom resource whose fields
// are known.
func knownMetadata(custom *unstructured.Unstructured) error {
	metadata, present := custom.Object["metadata"]
	if !present {
		return nil
	}
	unknown, err := manifest.UnknownMetadata(metadata)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		return fmt.Errorf("unknown fields in metadata: %s", strings.Join(unknown, ", "))
	}
	return nil
}
