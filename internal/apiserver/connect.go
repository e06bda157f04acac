package apiserver

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// connection is a subresource that clients connect to, such as exec. Admission
// decides about it; then there is nobody at the other end.
type connection struct {
	store   store
	options func() runtime.Object
	methods []string
	// proxy says that what follows the subresource in the path belongs to it.
	proxy bool
}

var _ rest.Connecter = connection{}

// connecting makes a subresource of a pod. The options are what admission sees.
func connecting(options func() runtime.Object) func(store) rest.Storage {
	return func(s store) rest.Storage {
		return connection{s, options, []string{http.MethodGet, http.MethodPost}, false}
	}
}

// proxying makes a subresource that stands for a server behind it.
func proxying(options func() runtime.Object) func(store) rest.Storage {
	methods := []string{
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodHead, http.MethodOptions,
	}
	return func(s store) rest.Storage { return connection{s, options, methods, true} }
}

// New implements rest.Storage.
func (c connection) New() runtime.Object { return c.options() }

// Destroy implements rest.Storage. What is behind belongs to the resource.
func (connection) Destroy() {}

// ConnectMethods implements rest.Connecter.
func (c connection) ConnectMethods() []string { return c.methods }

// NewConnectOptions implements rest.Connecter.
func (c connection) NewConnectOptions() (runtime.Object, bool, string) {
	if c.proxy {
		return c.options(), true, "path"
	}
	return c.options(), false, ""
}

// Connect implements rest.Connecter: it says that there is nothing to connect to.
func (c connection) Connect(ctx context.Context, id string, _ runtime.Object, _ rest.Responder) (http.Handler, error) {
	name := id
	if c.proxy {
		var ok bool
		if _, name, _, ok = utilnet.SplitSchemeNamePort(id); !ok {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("invalid %s request %q", strings.ToLower(c.store.resource.kind), id))
		}
	}
	if _, err := c.store.Get(ctx, name, &metav1.GetOptions{}); err != nil {
		return nil, err
	}
	return nil, nobodyThere(ctx, c.store.resource.plural, name)
}

func nobodyThere(ctx context.Context, plural, name string) error {
	what := plural
	if info, ok := request.RequestInfoFrom(ctx); ok {
		what += "/" + info.Subresource
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure,
		Code:   http.StatusNotImplemented,
		Reason: "NotImplemented",
		Message: fmt.Sprintf("%s of %q was admitted, and that is all that can be done: "+
			"this API server has no nodes, so that nothing runs that could be connected to", what, name),
	}}
}
