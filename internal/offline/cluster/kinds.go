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

// NewKinds returns what is known of kinds before anything is read. Conversion webhooks are
// reached as routes say, and believed if they are of the CA, in PEM, or of their own.
// Unless defaulting is asked for, built-in objects stay as they are written.
func NewKinds(r resolve.Table, ca []byte, defaulting bool) *kinds.Registry {
	known := []kinds.Option{kinds.ConversionWebhooks(func(crd *apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
		return crdconversion.Make(crdconversion.Config{Dial: r.Dial, Proxy: r.Proxy, CABundle: ca}, crd)
	})}
	if defaulting {
		known = append(known, kinds.Defaulting(defaults.Register), kinds.Roundtrip(internalversion.Settle))
	}
	return kinds.New(known...)
}
