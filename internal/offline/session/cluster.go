package session

import (
	"io"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/resolve"
)

// Cluster has the inputs of a session for callers that create their own engine.
type Cluster struct {
	// Requests are the requests of the objects.
	Requests []*admission.Request
	// Configurations hold the webhooks, in v1 and with the CA of
	// Options.CAFile.
	Configurations []runtime.Object
	// Definitions and Namespaces are the CustomResourceDefinitions and
	// Namespaces; Kinds has the kinds of the former.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	Namespaces  []*corev1.Namespace
	Kinds       *kinds.Registry
	// Authorizer is the authorizer of conditions.
	Authorizer authorizer.UnconditionalAuthorizer
	// Dialer connects to webhooks by the routes of --resolve.
	Dialer *resolve.Dialer

	webhooks []*admission.Webhook
	stderr   io.Writer
}

// Read is Prepare without an engine and clients.
func Read(o *Options) (*Cluster, error) {
	m, err := readInputs(o)
	if err != nil {
		return nil, err
	}
	defer m.close()
	c := &Cluster{
		Configurations: m.cluster.Configurations,
		Definitions:    m.cluster.Definitions,
		Namespaces:     m.cluster.Namespaces,
		Kinds:          m.kinds,
		Authorizer:     newAuthorizer(o.authorizer, m.cluster).next,
		Dialer:         m.dialer,
		webhooks:       m.webhooks,
		stderr:         o.Stderr,
	}
	for made, err := range m.cluster.Requests() {
		if err != nil {
			return nil, m.inputError(err)
		}
		c.Requests = append(c.Requests, made.Request)
	}
	return c, nil
}

// PrintRemarks prints which routes had no effect. Callers call it after they
// have called the webhooks.
func (c *Cluster) PrintRemarks() {
	printUnusedRoutes(c.stderr, c.Dialer, addressesOf(c.webhooks, c.Definitions))
}
