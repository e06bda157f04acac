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

// refusal is why a configuration cannot be applied. The error of the library has
// forgotten what it was made of, and quotes values: so the cause is looked for
// again, and the text made anew.
func (m *Merger) refusal(err error, live runtime.Object, sent *unstructured.Unstructured) error {
	var status *apierrors.StatusError
	kind := live.GetObjectKind().GroupVersionKind()
	switch {
	case !errors.As(err, &status):
		return m.unfit(live, sent)
	case apierrors.IsConflict(err) && isSecret(kind):
		return withoutKeys(status)
	case sent.GroupVersionKind() != kind && !m.objects.GetObjectTyper().Recognizes(sent.GroupVersionKind()):
		return apierrors.NewBadRequest(fmt.Sprintf("invalid object type: it has to be %s", kind))
	default:
		return err
	}
}

// unfit is the refusal of something that has not the form that it has to have. The
// texts are those of kube-apiserver, but for the values.
func (m *Merger) unfit(live runtime.Object, sent *unstructured.Unstructured) error {
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
		return fmt.Errorf("failed to create typed patch object %s: %w", which, expected(err, isSecret(kind)))
	}
	if _, err := types.ObjectToTyped(live, typed.AllowDuplicates); err != nil {
		return fmt.Errorf("failed to create typed live object %s: %w", which, expected(err, isSecret(kind)))
	}
	if err := m.fits(sent, live); err != nil {
		return fmt.Errorf("failed to convert new object %s to proper version: %w", which, err)
	}
	return fmt.Errorf("the configuration %s cannot be merged with the stored object", which)
}

// fits finds out whether a configuration can be decoded into the Go type of an
// object.
func (m *Merger) fits(sent *unstructured.Unstructured, like runtime.Object) error {
	if isCustom(like) {
		return nil
	}
	blank := func() any {
		object, _ := m.objects.GetObjectCreater().New(sent.GroupVersionKind())
		return object
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(sent.Object, blank()); err != nil {
		return misfit(err, sent.Object, blank)
	}
	return nil
}

// expected returns errors of the schema with what is expected and without what there
// is instead. Keys of elements are part of where they are, but in Secrets.
func expected(err error, secret bool) error {
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

// duplicate finds the key that two elements share.
var duplicate = regexp.MustCompile(`(?s)(duplicate entries for )key .*`)

// withoutKeys returns a conflict about a Secret without the keys of elements, which
// are values.
func withoutKeys(conflict *apierrors.StatusError) error {
	without := &apierrors.StatusError{ErrStatus: *conflict.ErrStatus.DeepCopy()}
	status := &without.ErrStatus
	if status.Details == nil {
		return without
	}
	for i, cause := range status.Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			place := withoutKey(cause.Field)
			status.Details.Causes[i].Field = place
			status.Message = strings.ReplaceAll(status.Message, cause.Field, place)
		}
	}
	return without
}

// withoutKey cuts a path where it goes into a list.
func withoutKey(path string) string {
	before, _, _ := strings.Cut(path, "[")
	return before
}

func isSecret(kind schema.GroupVersionKind) bool {
	return kind.GroupKind() == schema.GroupKind{Kind: "Secret"}
}
