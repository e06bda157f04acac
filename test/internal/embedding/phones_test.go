package embedding

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

// phoneVersion is the version of phones, which servers under test serve so that
// there are CONNECT requests. A phone has no other use than to be called:
// GET .../phones/NAME/call?number=N.
var phoneVersion = schema.GroupVersion{Group: "phones.example.com", Version: "v1"}

// installPhones adds phones to a server that does not run yet.
func installPhones(t *testing.T, server *genericapiserver.GenericAPIServer) {
	t.Helper()
	scheme := runtime.NewScheme()
	internal := schema.GroupVersion{Group: phoneVersion.Group, Version: runtime.APIVersionInternal}
	for _, version := range []schema.GroupVersion{phoneVersion, internal} {
		scheme.AddKnownTypes(version, &callOptions{})
	}
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	err := scheme.AddConversionFunc((*url.Values)(nil), (*callOptions)(nil), func(from, to any, _ conversion.Scope) error {
		to.(*callOptions).Number = from.(*url.Values).Get("number")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	group := genericapiserver.NewDefaultAPIGroupInfo(phoneVersion.Group, scheme, runtime.NewParameterCodec(scheme), serializer.NewCodecFactory(scheme))
	group.VersionedResourcesStorageMap[phoneVersion.Version] = map[string]rest.Storage{"phones": phone{}, "phones/call": call{}}
	if err := server.InstallAPIGroup(&group); err != nil {
		t.Fatal(err)
	}
}

// callOptions are the options of a call.
type callOptions struct {
	metav1.TypeMeta `json:",inline"`
	Number          string `json:"number"`
}

// DeepCopyInto makes a scheme convert the type to itself.
func (o *callOptions) DeepCopyInto(out *callOptions) { *out = *o }

// DeepCopyObject implements runtime.Object.
func (o *callOptions) DeepCopyObject() runtime.Object {
	copied := *o
	return &copied
}

// OpenAPIModelName names a type whose definition the servers have: they look
// for one, and use none.
func (*callOptions) OpenAPIModelName() string { return metav1.Status{}.OpenAPIModelName() }

// phone is the storage of phones. There is nothing in it.
type phone struct{}

var (
	_ rest.Scoper               = phone{}
	_ rest.SingularNameProvider = phone{}
)

func (phone) New() runtime.Object     { return &callOptions{} }
func (phone) Destroy()                {}
func (phone) NamespaceScoped() bool   { return true }
func (phone) GetSingularName() string { return "phone" }

// call is the subresource with which phones are called.
type call struct{}

var _ rest.Connecter = call{}

func (call) New() runtime.Object      { return &callOptions{} }
func (call) Destroy()                 {}
func (call) ConnectMethods() []string { return []string{http.MethodGet} }

// NewConnectOptions implements rest.Connecter.
func (call) NewConnectOptions() (options runtime.Object, subpath bool, key string) {
	return &callOptions{}, false, ""
}

// Connect implements rest.Connecter.
func (call) Connect(_ context.Context, name string, options runtime.Object, _ rest.Responder) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "%s calls %s", name, options.(*callOptions).Number)
	}), nil
}
