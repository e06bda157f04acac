package cluster

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/offline/crdconversion"
	"example.com/gatehouse/internal/offline/defaults"
	"example.com/gatehouse/internal/offline/internalversion"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/resolve"
)

// NewKinds returns a Registry of the built-in kinds. It connects to conversion
// webhooks by the routes and verifies them with their caBundle or the CA, in
// PEM. Built-in objects get defaults only if defaulting is set.
func NewKinds(r resolve.Table, ca []byte, defaulting bool) *kinds.Registry {
	known := []kinds.Option{kinds.ConversionWebhooks(
		func(crd *apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
			return crdconversion.Make(crdconversion.Config{Dial: r.Dial, Proxy: r.Proxy, CABundle: ca}, crd)
		})}
	if defaulting {
		known = append(known, kinds.Defaulting(defaults.Register),
			kinds.Roundtrip(internalversion.Normalize))
	}
	return kinds.New(known...)
}
