package admission

import "k8s.io/apimachinery/pkg/runtime/schema"

// ExcludedResources returns the resources that kube-apiserver sends to no webhook: the
// reviews of authentication and authorization. They are not stored, and a webhook could use
// them to lock users out of the cluster (S-011). The feature gate
// ExcludeAdmissionWebhookVirtualResources is on by default since v1.37. The caller owns the
// slice.
func ExcludedResources() []schema.GroupResource {
	const authentication, authorization = "authentication.k8s.io", "authorization.k8s.io"
	return []schema.GroupResource{
		{Group: authentication, Resource: "selfsubjectreviews"},
		{Group: authentication, Resource: "tokenreviews"},
		{Group: authorization, Resource: "localsubjectaccessreviews"},
		{Group: authorization, Resource: "selfsubjectaccessreviews"},
		{Group: authorization, Resource: "selfsubjectrulesreviews"},
		{Group: authorization, Resource: "subjectaccessreviews"},
	}
}
