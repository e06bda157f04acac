package kinds

import (
	"errors"
	"fmt"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// connector returns the convertor of a conversion webhook. It is safe for
// concurrent use.
type connector func() (runtime.ObjectConvertor, error)

// convertCustom converts between versions of a custom kind.
func (c convertor) convertCustom(in, out any) error {
	source, target := c.kindOf(in), c.kindOf(out)
	d := c.custom(source)
	from, fromUnstructured := in.(*unstructured.Unstructured)
	to, toUnstructured := out.(*unstructured.Unstructured)
	if d == nil || d != c.custom(target) || !fromUnstructured || !toUnstructured {
		return cannot(source, target)
	}
	converted := from.DeepCopy()
	if d.webhook == nil {
		converted.SetAPIVersion(target.GroupVersion().String())
	} else {
		var err error
		if converted, err = d.send(converted, target); err != nil {
			return err
		}
	}
	to.SetUnstructuredContent(converted.UnstructuredContent())
	return nil
}

// send converts an object, which it takes over, through the conversion webhook.
// Its errors end with that of the convertor, the text of an API server, which
// has neither the version nor the definition.
func (d *definition) send(
	object *unstructured.Unstructured, target schema.GroupVersionKind,
) (*unstructured.Unstructured, error) {
	impossible := cannot(object.GroupVersionKind(), target)
	webhook, err := d.webhook()
	if err != nil {
		return nil, fmt.Errorf("%w: the conversion webhook of the CustomResourceDefinition %s %w", impossible, d.name, err)
	}
	answer, err := webhook.ConvertToVersion(object, target.GroupVersion())
	if err != nil {
		return nil, fmt.Errorf("%w: the conversion webhook of the CustomResourceDefinition %s: %w", impossible, d.name, err)
	}
	converted, ok := answer.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("%w: the conversion webhook of the CustomResourceDefinition %s returned a %T", impossible, d.name, answer)
	}
	if got := converted.GroupVersionKind(); got != target {
		return nil, fmt.Errorf("%w: the conversion webhook of the CustomResourceDefinition %s returned %s", impossible, d.name, Name(got))
	}
	return converted, nil
}

// connector returns a function that connects to a definition's webhook on its
// first call. Its error continues a sentence about the webhook.
func (r *Registry) connector(crd *apiextensionsv1.CustomResourceDefinition) connector {
	if r.connect == nil {
		return func() (runtime.ObjectConvertor, error) { return nil, errors.New("is not called") }
	}
	own := crd.DeepCopy()
	return sync.OnceValues(func() (runtime.ObjectConvertor, error) {
		webhook := own.Spec.Conversion.Webhook
		if webhook == nil || webhook.ClientConfig == nil {
			return nil, errors.New("cannot be called: spec.conversion.webhook.clientConfig is missing")
		}
		// Sets the port of a service.
		r.scheme.Default(own)
		connected, err := r.connect(own)
		if err != nil {
			return nil, fmt.Errorf("cannot be called: %w", err)
		}
		return connected, nil
	})
}
