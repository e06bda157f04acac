package merge

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	kjson "sigs.k8s.io/json"
)

// strategic applies a strategic merge patch, which changes an object's fields
// according to the tags of its Go type.
func (m *Merger) strategic(stored runtime.Object, text []byte) (runtime.Object, error) {
	// The library does not parse the object, but only the patch at each level.
	if err := checkPatch(text, 0); err != nil {
		return nil, err
	}
	patch := map[string]any{}
	strict, err := kjson.UnmarshalStrict(text, &patch)
	if err != nil {
		return nil, apierrors.NewBadRequest(undecodable(err))
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(stored)
	if err != nil {
		return nil, errNotEncoded
	}
	if err := checkLists(fields, patch); err != nil {
		return nil, err
	}
	kind := stored.GetObjectKind().GroupVersionKind()
	into, err := m.objects.GetObjectCreater().New(kind)
	if err != nil {
		return nil, err
	}
	fields, err = strategicpatch.StrategicMergeMapPatch(fields, patch, into)
	if err != nil {
		return nil, coded(err)
	}
	if err := m.assemble(fields, into, kind, strict); err != nil {
		return nil, invalid(err)
	}
	return into, nil
}

// assemble decodes fields into an object and defaults it.
func (m *Merger) assemble(
	fields map[string]any, into runtime.Object, kind schema.GroupVersionKind, strict []error,
) error {
	if err := checkStated(fields, kind); err != nil {
		return err
	}
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(fields, into, true)
	if strict, ok := strictly(err, strict); !ok {
		return decodeError(err, fields, func() any {
			blank, _ := m.objects.GetObjectCreater().New(kind)
			return blank
		})
	} else if strict != nil {
		return strict
	}
	into.GetObjectKind().SetGroupVersionKind(kind)
	m.objects.GetObjectDefaulter().Default(into)
	return nil
}

// checkStated returns an error for a patch that changes apiVersion or kind.
// kube-apiserver ignores the two fields; here they are an error, because the
// author expects the patch to have an effect.
func checkStated(fields map[string]any, kind schema.GroupVersionKind) error {
	apiVersion, name := kind.ToAPIVersionAndKind()
	if stated, ok := fields["apiVersion"]; ok && stated != apiVersion {
		return fmt.Errorf("the patch changes apiVersion, which is %s", apiVersion)
	}
	if stated, ok := fields["kind"]; ok && stated != name {
		return fmt.Errorf("the patch changes kind, which is %s", name)
	}
	return nil
}

// coded returns an error of strategic merging with the code of kube-apiserver
// and without the parts of the object and the patch that the library quotes.
func coded(err error) error {
	for _, malformed := range []error{
		mergepatch.ErrBadJSONDoc, mergepatch.ErrBadPatchFormatForPrimitiveList,
		mergepatch.ErrBadPatchFormatForRetainKeys,
		mergepatch.ErrBadPatchFormatForSetElementOrderList,
		mergepatch.ErrUnsupportedStrategicMergePatchFormat,
	} {
		if errors.Is(err, malformed) {
			return apierrors.NewBadRequest(malformed.Error())
		}
	}
	for _, unfit := range []error{
		mergepatch.ErrNoListOfLists, mergepatch.ErrPatchContentNotMatchRetainKeys,
	} {
		if errors.Is(err, unfit) {
			return unprocessable(unfit.Error())
		}
	}
	return fmt.Errorf("the patch cannot be merged: %s", reason(err))
}
