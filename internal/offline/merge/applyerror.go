package merge

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// applyError returns the error for a configuration that cannot be applied. The
// library's error quotes values and wraps nothing, so typeError repeats the
// steps to find the cause.
func (m *Merger) applyError(err error, live runtime.Object, sent *unstructured.Unstructured) error {
	var status *apierrors.StatusError
	kind := live.GetObjectKind().GroupVersionKind()
	switch {
	case !errors.As(err, &status):
		return m.typeError(live, sent)
	case apierrors.IsConflict(err) && isSecret(kind):
		return withoutKeys(status)
	case sent.GroupVersionKind() != kind &&
		!m.objects.GetObjectTyper().Recognizes(sent.GroupVersionKind()):
		return apierrors.NewBadRequest(fmt.Sprintf("invalid object type: it has to be %s", kind))
	default:
		return err
	}
}

// typeError returns the error for a value of the wrong type or form, with the
// text of kube-apiserver but without the value.
func (m *Merger) typeError(live runtime.Object, sent *unstructured.Unstructured) error {
	kind := live.GetObjectKind().GroupVersionKind()
	types := m.typesOf(kind, isCustom(live))
	stored, err := meta.Accessor(live)
	if err != nil {
		return err
	}
	if err := managedfields.ValidateManagedFields(stored.GetManagedFields()); err != nil {
		return fmt.Errorf("failed to decode managed fields: %s", reason(err))
	}
	which := fmt.Sprintf("(%s/%s; %s)", sent.GetNamespace(), sent.GetName(), sent.GroupVersionKind())
	if _, err := types.ObjectToTyped(sent); err != nil {
		return fmt.Errorf("failed to create typed patch object %s: %w", which,
			withoutValues(err, isSecret(kind)))
	}
	if _, err := types.ObjectToTyped(live, typed.AllowDuplicates); err != nil {
		return fmt.Errorf("failed to create typed live object %s: %w", which,
			withoutValues(err, isSecret(kind)))
	}
	if !isCustom(live) {
		blank := func() any {
			object, _ := m.objects.GetObjectCreater().New(sent.GroupVersionKind())
			return object
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(sent.Object,
			blank()); err != nil {
			return fmt.Errorf("failed to convert new object %s to proper version: %w", which,
				decodeError(err, sent.Object, blank))
		}
	}
	return fmt.Errorf("the configuration %s cannot be merged with the stored object", which)
}

// withoutValues returns errors of the schema without the values that they
// quote. Keys of list elements stay in the path, except in Secrets.
func withoutValues(err error, secret bool) error {
	var found typed.ValidationErrors
	if !errors.As(err, &found) {
		return errors.New(reason(err))
	}
	all := make(typed.ValidationErrors, len(found))
	for i, e := range found {
		all[i].Path = e.Path
		all[i].ErrorMessage, _, _ = strings.Cut(e.ErrorMessage, ", got ")
		if secret {
			all[i].Path = withoutKey(e.Path)
			all[i].ErrorMessage = duplicate.ReplaceAllString(all[i].ErrorMessage, "${1}a key")
		}
	}
	return all
}

var duplicate = regexp.MustCompile(`(?s)(duplicate entries for )key .*`)

// withoutKeys returns a conflict about a Secret without the keys of list
// elements, which are values.
func withoutKeys(conflict *apierrors.StatusError) error {
	without := &apierrors.StatusError{ErrStatus: *conflict.ErrStatus.DeepCopy()}
	status := &without.ErrStatus
	if status.Details == nil {
		return without
	}
	for i, cause := range status.Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			path := withoutKey(cause.Field)
			status.Details.Causes[i].Field = path
			status.Message = strings.ReplaceAll(status.Message, cause.Field, path)
		}
	}
	return without
}

// withoutKey cuts a path before its first list element.
func withoutKey(path string) string {
	before, _, _ := strings.Cut(path, "[")
	return before
}

func isSecret(kind schema.GroupVersionKind) bool {
	return kind.GroupKind() == schema.GroupKind{Kind: "Secret"}
}
