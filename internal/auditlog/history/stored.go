package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/patch"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/defaults"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/merge"
)

// stored is the stored object as far as it is known.
type stored struct {
	// object is nil if the object does not exist, or what is stored is not known.
	object json.RawMessage
	kind   schema.GroupVersionKind
}

// after returns the stored object after a request.
func (s stored) after(e *auditlog.Event) stored {
	if e.Failed() || e.DryRun() || !e.HasWholeObject() || !e.Mutates() {
		return s
	}
	if e.Verb == "delete" || isStatus(e.ResponseObject) {
		return stored{}
	}
	return stored{e.ResponseObject, auditlog.KindOf(e.ResponseObject)}
}

// known has the kinds of Kubernetes, with their defaults and patches.
type known struct {
	kinds  *kinds.Registry
	merger *merge.Merger
	limits limits.Limits
}

func newKnown() (*known, error) {
	k := &known{kinds: kinds.New(kinds.Defaulting(defaults.Scheme()))}
	var err error
	if k.merger, err = merge.New(k.kinds.ObjectInterfaces()); err != nil {
		return nil, err
	}
	k.limits, err = limits.Limits{}.WithDefaults()
	return k, err
}

// decode returns a built-in object; an error for others.
func (k *known) decode(object json.RawMessage) (runtime.Object, error) {
	for d, err := range manifest.Documents("the log", strings.NewReader(string(object))) {
		if err != nil {
			return nil, err
		}
		return k.kinds.DecodeLoosely(d)
	}
	return nil, errors.New("no object")
}

// defaulted returns an object with the defaults of its kind; false if the kind is not known,
// or nothing is added.
func (k *known) defaulted(object json.RawMessage) (json.RawMessage, bool) {
	decoded, err := k.decode(object)
	if err != nil {
		return nil, false
	}
	k.kinds.Normalize(decoded)
	text, err := json.Marshal(decoded)
	return text, err == nil
}

// patched applies the JSON patch of a webhook.
func (k *known) patched(object, operations json.RawMessage) (json.RawMessage, error) {
	decoded, err := patch.Decode(operations, &k.limits)
	if err != nil {
		return nil, err
	}
	return patch.Apply(decoded, object, &k.limits)
}

// merged returns the stored object after the patch of a request. doubt is the reason why the
// result may differ; empty if it is exact.
func (k *known) merged(
	s stored, e *auditlog.Event,
) (object json.RawMessage, doubt string, err error) {
	body := e.RequestObject
	if body[0] == '[' {
		object, err = k.patched(s.object, body)
		return object, "", err
	}
	old, unknown := k.decode(s.object)
	if unknown != nil && !e.Applies() {
		object, err = mergePatch(s.object, body)
		return object, "", err
	}
	err = guard.Call(func() (err error) {
		object, doubt, err = k.mergedTyped(old, s, e)
		return err
	})
	return object, doubt, err
}

// mergedTyped merges a strategic merge patch or an apply.
func (k *known) mergedTyped(
	old runtime.Object, s stored, e *auditlog.Event,
) (json.RawMessage, string, error) {
	var result runtime.Object
	var err error
	doubt := ""
	switch {
	case !e.Applies():
		result, err = k.merger.Patch(old, e.RequestObject, types.StrategicMergePatchType, merge.Options{})
		if strings.Contains(string(e.RequestObject), "[") {
			doubt = "the log does not have the type of the patch: assumed to be a strategic merge patch"
		}
	case old == nil || !strings.Contains(string(s.object), `"managedFields"`):
		object, err := mergePatch(s.object, e.RequestObject)
		return object, "the log does not have the managed fields that an apply needs: it is handled like a merge patch", err
	default:
		config := &unstructured.Unstructured{}
		if err = config.UnmarshalJSON(e.RequestObject); err == nil {
			result, err = k.merger.Apply(old, config, merge.Options{Manager: e.Manager(), Force: true})
		}
	}
	if err != nil {
		return nil, "", err
	}
	text, err := json.Marshal(result)
	return text, doubt, err
}

func mergePatch(object, patch json.RawMessage) (merged json.RawMessage, err error) {
	err = guard.Call(func() (err error) {
		merged, err = jsonpatch.MergePatch(object, patch)
		return err
	})
	if err != nil {
		// The library's errors may quote the objects.
		return nil, fmt.Errorf("the merge patch cannot be applied")
	}
	return merged, nil
}
