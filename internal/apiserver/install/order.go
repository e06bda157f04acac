package install

// The kinds that are treated in a way of their own.
const (
	namespaceKind  = "Namespace"
	serviceKind    = "Service"
	endpointsKind  = "Endpoints"
	sliceKind      = "EndpointSlice.discovery.k8s.io"
	definitionKind = "CustomResourceDefinition.apiextensions.k8s.io"
	mutatingKind   = "MutatingWebhookConfiguration.admissionregistration.k8s.io"
	validatingKind = "ValidatingWebhookConfiguration.admissionregistration.k8s.io"
)

// kind returns the kind and its group, without a version.
func (o object) kind() string { return o.GroupVersionKind().GroupKind().String() }

// rank says when an object is applied: what others live in or are made of comes
// first, then the way to webhooks, then webhooks, and then everything that is to
// pass them. kubectl has another order, because in a cluster the webhooks' own pods
// have to be there before; here nothing runs pods.
func rank(kind string) int {
	switch kind {
	case namespaceKind:
		return 0
	case definitionKind:
		return 1
	case serviceKind, endpointsKind, sliceKind:
		return 2
	case mutatingKind, validatingKind:
		return 3
	}
	return 4
}

func byRank(a, b object) int { return rank(a.kind()) - rank(b.kind()) }
