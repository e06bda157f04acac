package cluster

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/offline/crdconversion"
	"example.com/gatehouse/internal/offline/defaults"
	"example.com/gatehouse/internal/offline/internalversion"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// NewKinds returns a Registry of the built-in kinds. It connects to conversion
// webhooks with the dialer and verifies them with their caBundle or the CA, in
// PEM. Built-in objects get defaults only if defaulting is set.
func NewKinds(d *resolve.Dialer, ca []byte, defaulting bool) *kinds.Registry {
	known := []kinds.Option{kinds.ConversionWebhooks(
		func(crd *apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
			// apiextensions-apiserver would keep only the text of the error.
			if err := checkConversion(d, crd); err != nil {
				return nil, err
			}
			return crdconversion.Make(crdconversion.Config{Dial: d.Dial, Proxy: d.Proxy, CABundle: ca}, crd)
		})}
	if defaulting {
		known = append(known, kinds.Defaulting(defaults.Scheme()),
			kinds.Roundtrip(internalversion.Normalize))
	}
	return kinds.New(known...)
}

// checkConversion returns the error of the dialer for the address of a
// conversion webhook.
func checkConversion(d *resolve.Dialer, crd *apiextensionsv1.CustomResourceDefinition) error {
	address, ok := webhookconfig.ConversionAddress(crd)
	if !ok {
		return nil // crdconversion reports its mistake
	}
	return d.Check(address)
}
