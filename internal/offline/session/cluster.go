package session

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/resolve"
)

// Cluster is everything that options name, for those who put engines together of it
// themselves.
type Cluster struct {
	// Requests are what the objects ask for; none if Options.Optional and there are no
	// objects.
	Requests []*admission.Request
	// Configurations hold the webhooks, in v1 and with the CA of Options.CAFile.
	Configurations []runtime.Object
	// Definitions and Namespaces are those that are described, and Kinds knows the kinds
	// of the former.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	Namespaces  []*corev1.Namespace
	Kinds       *kinds.Registry
	// Authorizer answers conditions.
	Authorizer authorizer.UnconditionalAuthorizer
	// Routes lead to webhooks.
	Routes resolve.Table
}

// Read does what Prepare does, but that it makes no engine and no ways to the webhooks. Its
// errors are those of Prepare.
func Read(o *Options) (*Cluster, error) {
	m, err := gather(o)
	if err != nil {
		return nil, err
	}
	return &Cluster{
		Requests: m.requests, Configurations: m.inputs.Configurations, Definitions: m.inputs.Definitions,
		Namespaces: m.inputs.Namespaces, Kinds: m.kinds, Authorizer: newAuthority(o.authorizer, m.inputs).next,
		Routes: m.routes,
	}, nil
}
