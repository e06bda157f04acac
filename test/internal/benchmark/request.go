package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"
)

// request is one request, made before the clock starts.
type request struct {
	attributes apiadmission.Attributes
	interfaces apiadmission.ObjectInterfaces
}

// endpoint is what requests are for.
type endpoint struct {
	kind     schema.GroupVersionKind
	resource string
}

func (e endpoint) gvr() schema.GroupVersionResource {
	return e.kind.GroupVersion().WithResource(e.resource)
}

func podEndpoint() endpoint {
	return endpoint{schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, "pods"}
}
func configMapEndpoint() endpoint {
	return endpoint{schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, "configmaps"}
}

func customEndpoint() endpoint {
	return endpoint{schema.GroupVersionKind{Group: "shop.example.com", Version: "v1",
		Kind: "Stand"}, "stands"}
}

// creating returns a function that makes requests for the creation of an
// object, each with its own copy.
func creating(object runtime.Object, at endpoint) func() request {
	interfaces := typedInterfaces()
	if _, custom := object.(*unstructured.Unstructured); custom {
		interfaces = customInterfaces()
	}
	asking := &user.DefaultInfo{Name: "alice", Groups: []string{"users", "system:authenticated"}}
	named := object.(metav1.Object)
	return func() request {
		return request{
			attributes: apiadmission.NewAttributesRecord(object.DeepCopyObject(), nil, at.kind,
				namespace, named.GetName(),
				at.gvr(), "", apiadmission.Create, &metav1.CreateOptions{}, false, asking),
			interfaces: interfaces,
		}
	}
}

// enter is how a request goes into a chain.
type enter func(ctx context.Context, c *chain, r request) error

func admit(ctx context.Context, c *chain, r request) error {
	return c.mutating.Admit(ctx, r.attributes, r.interfaces)
}

func validate(ctx context.Context, c *chain, r request) error {
	return c.validating.Validate(ctx, r.attributes, r.interfaces)
}

// inWhole goes through both phases as a server's handlers do.
func inWhole(ctx context.Context, c *chain, r request) error {
	if err := c.whole.(apiadmission.MutationInterface).Admit(ctx, r.attributes,
		r.interfaces); err != nil {
		return err
	}
	return c.whole.(apiadmission.ValidationInterface).Validate(ctx, r.attributes, r.interfaces)
}

// newMapper knows the resources that the rows are about, as a server's mapper
// knows all that it serves.
func newMapper() runtime.EquivalentResourceMapper {
	mapper := runtime.NewEquivalentResourceRegistry()
	for _, e := range []endpoint{podEndpoint(), configMapEndpoint(), customEndpoint()} {
		mapper.RegisterKindFor(e.gvr(), "", e.kind)
	}
	return mapper
}

func typedInterfaces() apiadmission.ObjectInterfaces {
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater:            kubernetesscheme.Scheme,
		ObjectTyper:              kubernetesscheme.Scheme,
		ObjectDefaulter:          kubernetesscheme.Scheme,
		ObjectConvertor:          kubernetesscheme.Scheme,
		EquivalentResourceMapper: newMapper(),
	}
}

func customInterfaces() apiadmission.ObjectInterfaces {
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater:            unstructuredscheme.NewUnstructuredCreator(),
		ObjectTyper:              unstructuredscheme.NewUnstructuredObjectTyper(),
		ObjectDefaulter:          unstructuredscheme.NewUnstructuredDefaulter(),
		ObjectConvertor:          copying{},
		EquivalentResourceMapper: newMapper(),
	}
}

// copying is the conversion of a custom resource with one version.
type copying struct{ runtime.ObjectConvertor }

// Convert implements runtime.ObjectConvertor.
func (copying) Convert(in, out, _ any) error {
	from, okFrom := in.(*unstructured.Unstructured)
	to, okTo := out.(*unstructured.Unstructured)
	if !okFrom || !okTo {
		return fmt.Errorf("cannot convert %T to %T", in, out)
	}
	to.SetUnstructuredContent(from.DeepCopy().UnstructuredContent())
	return nil
}
