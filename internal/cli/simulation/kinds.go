package simulation

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/crdconversion"
	"example.com/gatehouse/internal/defaults"
	"example.com/gatehouse/internal/kinds"
	"example.com/gatehouse/internal/roundtrip"
	"example.com/gatehouse/internal/routes"
)

// newKinds returns what is known of kinds before any input is read. Conversion
// webhooks are reached as admission webhooks are.
func newKinds(o *Options, r routes.Table, ca []byte) *kinds.Registry {
	known := []kinds.Option{kinds.ConversionWebhooks(func(crd *apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
		return crdconversion.Make(crdconversion.Config{Dial: r.Dial, Proxy: r.Proxy, CABundle: ca}, crd)
	})}
	if !o.asking.noDefaulting {
		known = append(known, kinds.Defaulting(defaults.Register), kinds.Roundtrip(roundtrip.Settle))
	}
	return kinds.New(known...)
}
