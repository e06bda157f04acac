package dispatcher

import (
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/uuid"

	"example.com/gatehouse/admission"
)

// wipe removes from a new object what is not for clients to say. The handler does so
// before the mutating phase, whatever is created (S-360).
func (s *simulation) wipe() {
	m := metadata(s.attributes.GetObject())
	if m == nil || carriesPrecondition(s.request) {
		return
	}
	m.SetUID("")
	m.SetCreationTimestamp(metav1.Time{})
	m.SetDeletionTimestamp(nil)
	m.SetDeletionGracePeriodSeconds(nil)
	m.SetSelfLink("")
}

// carriesPrecondition reports whether the uid in the body is that of the object which
// the request is about, for the storage to compare. Such bodies are not wiped.
func carriesPrecondition(r *admission.Request) bool {
	if r.Subresource == "" || r.Resource.Group != "" {
		return false
	}
	switch r.Resource.Resource + "/" + r.Subresource {
	case "pods/binding", "serviceaccounts/token":
		return true
	default:
		return false
	}
}

// complete does to the object what the registry does between the phases.
func (s *simulation) complete() {
	m := metadata(s.attributes.GetObject())
	switch {
	case m == nil:
	case s.request.Operation == admissionv1.Create && s.request.Subresource == "":
		s.initialize(m)
	case s.request.Operation == admissionv1.Update && s.request.SystemFields:
		keepSystemFields(m, metadata(s.attributes.GetOldObject()))
	}
}

// initialize gives a new object what it is created with. What is sent to a
// subresource is not stored, and stays as it is.
func (s *simulation) initialize(m metav1.Object) {
	if s.request.SystemFields {
		m.SetCreationTimestamp(metav1.NewTime(time.Now().Truncate(time.Second)))
		m.SetUID(uuid.NewUUID())
	}
	if m.GetName() == "" && m.GetGenerateName() != "" {
		m.SetName(generateName(m.GetGenerateName()))
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

// keepSystemFields takes from the stored object what an update cannot change
// (S-361). It comes after the mutating phase, which still sees what the client
// sent.
//
// What a server would refuse, such as another uid or resourceVersion, stays as it
// is: Simulate does not validate.
func keepSystemFields(m, stored metav1.Object) {
	if stored == nil {
		return
	}
	if version := m.GetResourceVersion(); version == "" || version == "0" {
		m.SetResourceVersion(stored.GetResourceVersion())
	}
	m.SetGeneration(stored.GetGeneration())
	if m.GetUID() == "" {
		m.SetUID(stored.GetUID())
	}
	if created := stored.GetCreationTimestamp(); !created.IsZero() {
		m.SetCreationTimestamp(created)
	}
	if deleted := stored.GetDeletionTimestamp(); !deleted.IsZero() {
		m.SetDeletionTimestamp(deleted)
	}
	if grace := stored.GetDeletionGracePeriodSeconds(); grace != nil && m.GetDeletionGracePeriodSeconds() == nil {
		m.SetDeletionGracePeriodSeconds(grace)
	}
}
