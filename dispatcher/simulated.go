package dispatcher

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/uuid"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
)

// This file is what surrounds the webhooks in an API server, as far as they can
// see it, for Simulate.

// record returns attributes of the simulated request that keep their
// annotations.
func (s *simulation) record(object runtime.Object, name string) apiadmission.Attributes {
	r := s.request
	return &simulatedAttributes{
		Attributes: apiadmission.NewAttributesRecord(object, copyOf(r.OldObject), r.Kind, r.Namespace, name,
			r.Resource, r.Subresource, apiadmission.Operation(r.Operation), copyOf(r.Options), r.DryRun, asUser(r.User)),
		kept: &s.annotations,
	}
}

// object returns the object as it is now. Conversion empties apiVersion and kind
// of typed objects; an object that was sent with them comes back with them.
func (s *simulation) object() runtime.Object {
	object := s.attributes.GetObject()
	if object == nil {
		return nil
	}
	if sent := s.request.Object.GetObjectKind().GroupVersionKind(); !sent.Empty() && object.GetObjectKind().GroupVersionKind().Empty() {
		object.GetObjectKind().SetGroupVersionKind(sent)
	}
	return object
}

// annotations are what was added to the attributes of either phase, in order.
type annotations struct{ added []admission.AuditAnnotation }

type simulatedAttributes struct {
	apiadmission.Attributes
	kept *annotations
}

func (a *simulatedAttributes) AddAnnotation(key, value string) error {
	return a.AddAnnotationWithLevel(key, value, auditinternal.LevelMetadata)
}

// AddAnnotationWithLevel keeps an annotation that upstream's own attributes
// accept. Of two with one key the first is kept: the phases have attributes of
// their own, but they write into one audit event (S-317).
func (a *simulatedAttributes) AddAnnotationWithLevel(key, value string, level auditinternal.Level) error {
	if err := a.Attributes.AddAnnotationWithLevel(key, value, level); err != nil {
		return err
	}
	taken := slices.ContainsFunc(a.kept.added, func(k admission.AuditAnnotation) bool { return k.Key == key })
	if !taken {
		a.kept.added = append(a.kept.added, admission.AuditAnnotation{Key: key, Value: value, Level: admission.AuditLevel(level)})
	}
	return nil
}

// warnings collects warnings as a client would see them: none that is empty,
// none twice (S-301).
type warnings struct{ texts []string }

// AddWarning is called on the request's goroutine only.
func (w *warnings) AddWarning(_, text string) {
	if text != "" && !slices.Contains(w.texts, text) {
		w.texts = append(w.texts, text)
	}
}

// name returns the object's name as the validating phase knows it.
func (s *simulation) name() string {
	if name := s.attributes.GetName(); name != "" {
		return name
	}
	if m := metadata(s.attributes.GetObject()); m != nil {
		return m.GetName()
	}
	return ""
}

// complete fills in what the registry does between the phases of a CREATE.
func (s *simulation) complete() {
	m := metadata(s.attributes.GetObject())
	if m == nil {
		return
	}
	if s.request.SystemFields {
		m.SetUID(uuid.NewUUID())
		m.SetCreationTimestamp(metav1.NewTime(time.Now().Truncate(time.Second)))
	}
	if m.GetName() == "" && m.GetGenerateName() != "" {
		m.SetName(generateName(m.GetGenerateName()))
	}
}

func wipeSystemFields(object runtime.Object) {
	if m := metadata(object); m != nil {
		m.SetUID("")
		m.SetCreationTimestamp(metav1.Time{})
		m.SetDeletionTimestamp(nil)
		m.SetDeletionGracePeriodSeconds(nil)
		m.SetSelfLink("")
	}
}

// generateName appends five random characters, as API servers do, to as much of
// the base as leaves room for them in a DNS label.
func generateName(base string) string {
	const maxName, suffix = 63, 5
	if len(base) > maxName-suffix {
		base = base[:maxName-suffix]
	}
	return base + utilrand.String(suffix)
}

// The warnings about repeated owner references, before and after the mutating
// phase (S-367).
const (
	ownersRepeated       = ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %v"
	ownersRepeatedByHook = ".metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %v"
)

// dropRepeatedOwners removes owner references that repeat an earlier one and
// warns about them.
func (s *simulation) dropRepeatedOwners(ctx context.Context, text string) {
	m := metadata(s.attributes.GetObject())
	if m == nil {
		return
	}
	var kept []metav1.OwnerReference
	var repeated []string
	for _, ref := range m.GetOwnerReferences() {
		if slices.ContainsFunc(kept, func(k metav1.OwnerReference) bool { return apiequality.Semantic.DeepEqual(k, ref) }) {
			repeated = append(repeated, string(ref.UID))
		} else {
			kept = append(kept, ref)
		}
	}
	if len(repeated) > 0 {
		m.SetOwnerReferences(kept)
		warning.AddWarning(ctx, "", fmt.Sprintf(text, strings.Join(repeated, ", ")))
	}
}

// metadata returns an object's metadata, or nil if it has none.
func metadata(object runtime.Object) metav1.Object {
	if isNil(object) {
		return nil
	}
	m, err := meta.Accessor(object)
	if err != nil {
		return nil
	}
	return m
}

func copyOf(object runtime.Object) runtime.Object {
	if isNil(object) {
		return nil
	}
	return object.DeepCopyObject()
}

// isNil reports whether there is no object, also behind a typed nil pointer.
func isNil(object runtime.Object) bool {
	if object == nil {
		return true
	}
	v := reflect.ValueOf(object)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func asUser(u *authenticationv1.UserInfo) user.Info {
	extra := make(map[string][]string, len(u.Extra))
	for key, value := range u.Extra {
		extra[key] = value
	}
	return &user.DefaultInfo{Name: u.Username, UID: u.UID, Groups: u.Groups, Extra: extra}
}
