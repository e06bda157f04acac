package merge

import (
	"errors"
	"fmt"
	"strings"

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
	// The object is not parsed again at each level.
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

// assemble makes an object of its fields.
func (m *Merger) assemble(fields map[string]any, into runtime.Object, kind schema.GroupVersionKind, strict []error) error {
	if err := checkStated(fields, kind); err != nil {
		return err
	}
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(fields, into, true)
	if strict, ok := strictly(err, strict); !ok {
		return misfit(err, fields, func() any {
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

// checkStated finds a patch that says of which kind its object is, and is wrong.
// kube-apiserver does not look; but nobody means a patch to change nothing.
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

// coded gives errors of strategic merging the code that they have on a server, and a
// text without the parts of the object and the patch that the library puts there.
func coded(err error) error {
	for _, malformed := range []error{
		mergepatch.ErrBadJSONDoc, mergepatch.ErrBadPatchFormatForPrimitiveList, mergepatch.ErrBadPatchFormatForRetainKeys,
		mergepatch.ErrBadPatchFormatForSetElementOrderList, mergepatch.ErrUnsupportedStrategicMergePatchFormat,
	} {
		if errors.Is(err, malformed) {
			return apierrors.NewBadRequest(malformed.Error())
		}
	}
	for _, unfit := range []error{mergepatch.ErrNoListOfLists, mergepatch.ErrPatchContentNotMatchRetainKeys} {
		if errors.Is(err, unfit) {
			return unprocessable(unfit.Error())
		}
	}
	return fmt.Errorf("the patch cannot be merged: %s", mergeReason(err.Error()))
}

// mergeReason is reason for errors of strategic merging, which are texts alone: how
// they begin tells them apart, but not what they quote.
func mergeReason(text string) string {
	switch {
	case strings.HasPrefix(text, "map: "):
		// The name of the key comes last, and is one of a Go type's.
		const before = "does not contain declared merge key: "
		return "an element of a list " + text[max(0, strings.LastIndex(text, before)):]
	case strings.HasPrefix(text, "unknown patch type: "):
		return "$patch has to be replace, merge or delete"
	case strings.HasPrefix(text, "list element types are not identical: "):
		return "the elements of a list are not all of one type"
	case strings.HasPrefix(text, "The order in patch list:"):
		return "the elements of a list are in another order than in its $setElementOrder"
	}
	if text = strings.ReplaceAll(text, "%!s(<nil>)", "null"); harmless.MatchString(text) {
		return strings.NewReplacer("map[string]interface {}", "object", "[]interface {}", "array").Replace(text)
	}
	return "it does not fit the object"
}
