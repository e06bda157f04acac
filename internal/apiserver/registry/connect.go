package registry

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
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

// newConnectREST returns a subresource of pods. Admission receives objects of the
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
	subresource := c.rest.resource.Plural
	if info, ok := request.RequestInfoFrom(ctx); ok {
		subresource += "/" + info.Subresource
	}
	return nil, notImplemented("%s of %q was admitted, but %s", subresource, name)
}

// notImplemented returns an error with a message of the subresource, the name
// and the reason.
func notImplemented(format, subresource, name string) error {
	const reason = "this API server has no nodes that could serve it"
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotImplemented, Reason: "NotImplemented",
		Message: fmt.Sprintf(format, subresource, name, reason),
	}}
}

// logREST is the subresource "log" of pods. Reading it does not pass admission.
type logREST struct{ pods resourceREST }

var (
	_ rest.Getter          = logREST{}
	_ rest.StorageMetadata = logREST{}
)

func newLogREST(r resourceREST) rest.Storage { return logREST{r} }

// New implements rest.Storage.
func (logREST) New() runtime.Object { return &corev1.Pod{} }

// Destroy implements rest.Storage. The resource owns the store.
func (logREST) Destroy() {}

// Get implements rest.Getter. It always fails.
func (l logREST) Get(
	ctx context.Context, name string, options *metav1.GetOptions,
) (runtime.Object, error) {
	if _, err := l.pods.Get(ctx, name, options); err != nil {
		return nil, err
	}
	return nil, notImplemented("%s of %q: %s", "pods/log", name)
}

// ProducesMIMETypes implements rest.StorageMetadata, for the OpenAPI document.
func (logREST) ProducesMIMETypes(string) []string { return []string{"text/plain"} }

// ProducesObject implements rest.StorageMetadata, for the OpenAPI document.
func (logREST) ProducesObject(string) any { return "" }
