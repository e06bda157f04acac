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
	"example.com/gatehouse/internal/conformance/schemas"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/kinds"
)

func keepsKinds(w *probe.Webhook, r *check.Record) {
	custom := schemas.New(w.Config().Definitions)
	for _, x := range patched(w) {
		after, err := x.Patched()
		kind := (&unstructured.Unstructured{Object: x.Review.Object()}).GroupVersionKind()
		// Skip patches that do not apply, and objects that were wrong before.
		if err != nil || ofKind(w.Config().Objects, kind, x.Object()) != nil {
			continue
		}
		r.Checked()
		if err = ofKind(w.Config().Objects, kind, after); err == nil {
			err = worse(custom, kind, x, after)
		}
		if err != nil {
			r.Fail(x, "the patched object is no %s: %v", kinds.Name(kind), err)
		}
	}
	r.Missing(noPatch)
}

// worse returns what a patch broke of the schema of a custom resource.
func worse(
	custom *schemas.Set, kind schema.GroupVersionKind, x *probe.Exchange, patched []byte,
) error {
	var after map[string]any
	if err := utiljson.Unmarshal(patched, &after); err != nil {
		return err
	}
	return custom.NewProblems(kind, x.Review.Object(), after, x.Review.Subresource())
}

// ofKind returns why an object is not of a kind.
func ofKind(
	objects apiadmission.ObjectInterfaces, kind schema.GroupVersionKind, object []byte,
) error {
	into, err := objects.GetObjectCreater().New(kind)
	if err != nil {
		return err
	}
	if _, custom := into.(*unstructured.Unstructured); custom {
		into = &unstructured.Unstructured{} // decodes the kind that the object names
	}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, objects.GetObjectCreater(),
		objects.GetObjectTyper(), json.SerializerOptions{Strict: true})
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

// knownMetadata checks metadata, whose fields are known for custom resources
// too.
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
