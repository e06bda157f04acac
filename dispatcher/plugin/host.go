package plugin

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

// host is what the server's plugin initializers set in plugins of both sorts, in
// any order, before ValidateInitialization. The setters must not run concurrently
// with ValidateInitialization or with requests.
type host struct {
	kube       kubernetes.Interface
	factory    informers.SharedInformerFactory
	authorizer authorizer.UnconditionalAuthorizer
	excluded   sets.Set[schema.GroupResource]
	drained    <-chan struct{}
}

func newHost() host { return host{excluded: sets.New[schema.GroupResource]()} }

// SetExternalKubeClientSet sets the client that gets namespaces which the
// informer does not have yet. Policies also find their params and schemas with it.
func (h *host) SetExternalKubeClientSet(kube kubernetes.Interface) { h.kube = kube }

// SetExternalKubeInformerFactory sets the informers of configurations, policies
// and namespaces.
func (h *host) SetExternalKubeInformerFactory(f informers.SharedInformerFactory) { h.factory = f }

// SetUnconditionalAuthorizer sets the authorizer for authorizer checks in
// expressions.
func (h *host) SetUnconditionalAuthorizer(a authorizer.UnconditionalAuthorizer) { h.authorizer = a }

// SetDrainedNotification sets the channel that the server closes after the last
// request.
func (h *host) SetDrainedNotification(drained <-chan struct{}) { h.drained = drained }

// SetExcludedAdmissionResources adds resources to those that no webhook and no
// policy receives. They take effect with the next ValidateInitialization.
func (h *host) SetExcludedAdmissionResources(resources []schema.GroupResource) {
	h.excluded.Insert(resources...)
}
