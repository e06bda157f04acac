package handlers

import (
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// database has the fields of a Database that the webhook reads; config/crd.yaml
// has all.
type database struct {
	Spec struct {
		Engine    string            `json:"engine"`
		Storage   resource.Quantity `json:"storage"`
		Protected bool              `json:"protected"`
	} `json:"spec"`
}

// guard protects the data of databases.
func guard(q *question[database]) *answer {
	a := &answer{}
	switch {
	case q.Operation == admissionv1.Delete && q.old != nil:
		guardDeletion(a, q.old)
	case q.object != nil && q.old != nil:
		guardChange(a, q.old, q.object)
	}
	return a
}

func guardDeletion(a *answer, old *database) {
	if old.Spec.Protected {
		a.deny("the database is protected: set spec.protected to false first")
	}
}

// guardChange checks changes, which a schema cannot: the new object against the
// old one.
func guardChange(a *answer, old, object *database) {
	was, is := old.Spec, object.Spec
	if is.Engine != was.Engine {
		a.deny("spec.engine cannot change from %s to %s: restore a backup into a new database",
			was.Engine, is.Engine)
	}
	if is.Storage.Cmp(was.Storage) < 0 {
		a.deny("spec.storage cannot shrink from %s to %s", was.Storage.String(), is.Storage.String())
	}
	if was.Protected && !is.Protected {
		a.warn("the database can be deleted from now on")
	}
}
