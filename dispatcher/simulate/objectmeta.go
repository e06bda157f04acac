package simulate

import (
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/uuid"

	"example.com/gatehouse/admission"
)

// clearSystemFields clears the metadata of a new object that clients cannot
// set, as the handler does before the mutating phase (S-360).
func (s *simulation) clearSystemFields() {
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

// carriesPrecondition reports whether the uid in the body is a precondition for
// the object of the request. The handler does not clear such bodies.
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

// prepareForStorage does what the registry does to the object between the
// phases.
func (s *simulation) prepareForStorage() {
	m := metadata(s.attributes.GetObject())
	switch {
	case m == nil:
	case s.request.Operation == admissionv1.Create && s.request.Subresource == "":
		s.initialize(m)
	case s.request.Operation == admissionv1.Update && s.request.SystemFields:
		keepSystemFields(m, metadata(s.attributes.GetOldObject()))
	}
}

// initialize sets the metadata of a new object. An object that is sent to a
// subresource is not stored and stays as it is.
func (s *simulation) initialize(m metav1.Object) {
	if s.request.SystemFields {
		m.SetCreationTimestamp(metav1.NewTime(time.Now().Truncate(time.Second)))
		m.SetUID(uuid.NewUUID())
	}
	if m.GetName() == "" && m.GetGenerateName() != "" {
		m.SetName(generateName(m.GetGenerateName(), s.request.NameSuffix))
	}
}

// generateName appends the suffix, or five random characters, to the base, which
// it truncates so that the name fits into a DNS label.
func generateName(base, suffix string) string {
	const maxName, random = 63, 5
	if suffix == "" {
		suffix = utilrand.String(random)
	}
	return base[:min(len(base), max(0, maxName-len(suffix)))] + suffix
}

// keepSystemFields copies the metadata that an update cannot change from the
// stored object (S-361), after the mutating phase, which sees what the client
// sent.
//
// Metadata that an API server would not accept, such as another uid or
// resourceVersion, stay as they are: Request does not validate.
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
	if grace := stored.GetDeletionGracePeriodSeconds(); grace != nil &&
		m.GetDeletionGracePeriodSeconds() == nil {
		m.SetDeletionGracePeriodSeconds(grace)
	}
}
