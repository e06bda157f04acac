package merge

import (
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	kjson "sigs.k8s.io/json"
)

// strategic applies a strategic merge patch, which changes an object's fields as
// the tags of its Go type say.
func (m *Merger) strategic(stored runtime.Object, text []byte) (runtime.Object, error) {
	if isCustom(stored) {
		return nil, unsupported(true)
	}
	// The object is not parsed again at each level.
	if err := checkPatch(text, 0); err != nil {
		return nil, err
	}
	patch := map[string]any{}
	strict, err := kjson.UnmarshalStrict(text, &patch)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(stored)
	if err != nil {
		return nil, fmt.Errorf("encoding the stored object: %w", err)
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

// assemble makes an object of its fields.
func (m *Merger) assemble(fields map[string]any, into runtime.Object, kind schema.GroupVersionKind, strict []error) error {
	if err := checkStated(fields, kind); err != nil {
		return err
	}
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(fields, into, true)
	if err := strictly(err, strict); err != nil {
		return err
	}
	into.GetObjectKind().SetGroupVersionKind(kind)
	m.objects.GetObjectDefaulter().Default(into)
	return nil
}

// checkStated finds a patch that says of which kind its object is, and is wrong.
// kube-apiserver does not look; but nobody means a patch to change nothing.
func checkStated(fields map[string]any, kind schema.GroupVersionKind) error {
	apiVersion, name := kind.ToAPIVersionAndKind()
	if stated, ok := fields["apiVersion"]; ok && stated != apiVersion {
		return fmt.Errorf("the patch changes apiVersion from %s to %v", apiVersion, stated)
	}
	if stated, ok := fields["kind"]; ok && stated != name {
		return fmt.Errorf("the patch changes kind from %s to %v", name, stated)
	}
	return nil
}

// coded gives errors of strategic merging the code that they have on a server.
func coded(err error) error {
	is := func(target error) bool { return errors.Is(err, target) }
	switch {
	case slices.ContainsFunc([]error{
		mergepatch.ErrBadJSONDoc, mergepatch.ErrBadPatchFormatForPrimitiveList, mergepatch.ErrBadPatchFormatForRetainKeys,
		mergepatch.ErrBadPatchFormatForSetElementOrderList, mergepatch.ErrUnsupportedStrategicMergePatchFormat,
	}, is):
		return apierrors.NewBadRequest(err.Error())
	case is(mergepatch.ErrNoListOfLists), is(mergepatch.ErrPatchContentNotMatchRetainKeys):
		return unprocessable(err.Error())
	default:
		return err
	}
}
