package registry

import (
	"context"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// connectREST is a subresource for CONNECT requests, such as exec. Requests
// pass admission and are then answered with 501, because nothing runs the pods.
type connectREST struct {
	rest    resourceREST
	options runtime.Object
	methods []string
	// proxy is set if the subresource takes the rest of the path.
	proxy bool
}

var _ rest.Connecter = connectREST{}

// newConnectREST returns a subresource of pods. Admission sees objects of the
// type of options.
func newConnectREST(options runtime.Object) func(resourceREST) rest.Storage {
	return func(r resourceREST) rest.Storage {
		return connectREST{r, options, []string{http.MethodGet, http.MethodPost}, false}
	}
}

// newProxyREST returns a subresource "proxy".
func newProxyREST(options runtime.Object) func(resourceREST) rest.Storage {
	methods := []string{
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodHead, http.MethodOptions,
	}
	return func(r resourceREST) rest.Storage { return connectREST{r, options, methods, true} }
}

// New implements rest.Storage.
func (c connectREST) New() runtime.Object { return c.options.DeepCopyObject() }

// Destroy implements rest.Storage. The resource owns the store.
func (connectREST) Destroy() {}

// ConnectMethods implements rest.Connecter.
func (c connectREST) ConnectMethods() []string { return c.methods }

// NewConnectOptions implements rest.Connecter.
func (c connectREST) NewConnectOptions() (runtime.Object, bool, string) {
	if c.proxy {
		return c.New(), true, "path"
	}
	return c.New(), false, ""
}

// Connect implements rest.Connecter. It always fails, after admission.
func (c connectREST) Connect(
	ctx context.Context, id string, _ runtime.Object, _ rest.Responder,
) (http.Handler, error) {
	name := id
	if c.proxy {
		var ok bool
		if _, name, _, ok = utilnet.SplitSchemeNamePort(id); !ok {
			return nil, apierrors.NewBadRequest(
				fmt.Sprintf("invalid %s request %q", c.rest.resource.SingularName(), id))
		}
	}
	if _, err := c.rest.Get(ctx, name, &metav1.GetOptions{}); err != nil {
		return nil, err
	}
	return nil, notImplemented(ctx, c.rest.resource.Plural, name)
}

func notImplemented(ctx context.Context, resource, name string) error {
	if info, ok := request.RequestInfoFrom(ctx); ok {
		resource += "/" + info.Subresource
	}
	const message = "%s of %q was admitted, but this API server has no nodes that could serve it"
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotImplemented, Reason: "NotImplemented",
		Message: fmt.Sprintf(message, resource, name),
	}}
}
