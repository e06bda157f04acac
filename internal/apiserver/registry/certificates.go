package registry

import (
	"slices"

	certificatesv1 "k8s.io/api/certificates/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/registry/rest"
)

type signingRequest = certificatesv1.CertificateSigningRequest

// setCertificateRequester writes the user who requests a certificate, and
// overwrites the values of the client.
func setCertificateRequester(o runtime.Object, by user.Info) {
	spec := &o.(*signingRequest).Spec
	spec.Username, spec.UID, spec.Groups = by.GetName(), by.GetUID(), by.GetGroups()
	spec.Extra = nil
	for key, values := range by.GetExtra() {
		if spec.Extra == nil {
			spec.Extra = map[string]certificatesv1.ExtraValue{}
		}
		spec.Extra[key] = values
	}
}

// keepCertificateRequest keeps the spec, which never changes.
func keepCertificateRequest(object, old runtime.Object) {
	object.(*signingRequest).Spec = old.(*signingRequest).Spec
}

// keepCertificateApproval is for the subresource "status", which does not
// approve or deny requests.
func keepCertificateApproval(object, old runtime.Object) {
	now, before := object.(*signingRequest), old.(*signingRequest)
	conditions := slices.DeleteFunc(slices.Clone(now.Status.Conditions), isApproval)
	for _, c := range before.Status.Conditions {
		if isApproval(c) {
			conditions = append(conditions, c)
		}
	}
	now.Status.Conditions = conditions
	dateConditions(now)
}

func isApproval(c certificatesv1.CertificateSigningRequestCondition) bool {
	return c.Type == certificatesv1.CertificateApproved || c.Type == certificatesv1.CertificateDenied
}

// newApprovalREST returns the subresource that approves and denies certificate
// signing requests. It changes the conditions.
func newApprovalREST(r resourceREST) rest.Storage {
	keep := func(object, old runtime.Object) {
		keepFieldsExcept(object, old, "TypeMeta", "ObjectMeta", "Status")
		now, before := object.(*signingRequest), old.(*signingRequest)
		now.Status.Certificate = before.Status.Certificate
		dateConditions(now)
	}
	return subresourceREST{r.subresource(keep, nil, []any{"spec"})}
}

// dateConditions sets the times of conditions that have none.
func dateConditions(r *signingRequest) {
	now := metav1.Now()
	for i := range r.Status.Conditions {
		c := &r.Status.Conditions[i]
		if c.LastUpdateTime.IsZero() {
			c.LastUpdateTime = now
		}
		if c.LastTransitionTime.IsZero() {
			c.LastTransitionTime = now
		}
	}
}
