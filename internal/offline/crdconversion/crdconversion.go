package crdconversion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
)

// Config configures the connections to webhooks.
type Config struct {
	// Dial opens connections. The address of a service is
	// "name.namespace.svc:port". Many goroutines may call it. Required.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Proxy chooses a proxy for a request. Nil means the environment's.
	Proxy func(*http.Request) (*url.URL, error)
	// CABundle is what the certificates of webhooks without a caBundle are
	// verified with, in PEM. Empty means the system's. It is not modified.
	CABundle []byte
	// Timeout is for a whole call, repetitions included. Zero means 30 seconds,
	// as in kube-apiserver. The webhook receives it as the parameter timeout
	// of its URL.
	Timeout time.Duration
}

const defaultTimeout = 30 * time.Second

// Make returns a convertor between the versions of a definition whose strategy
// is Webhook. It does not call the webhook. The definition is not modified, and
// later changes of it have no effect.
//
// The error names the definition, and describes the mistake in it or in the
// Config.
func Make(
	c Config, crd *apiextensionsv1.CustomResourceDefinition,
) (runtime.ObjectConvertor, error) {
	if crd == nil {
		return nil, errors.New("there is no CustomResourceDefinition to convert with")
	}
	crd = crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
	convertor, err := c.convertor(crd)
	if err != nil {
		return nil, fmt.Errorf("CustomResourceDefinition %q: %w", crd.Name, err)
	}
	return contained{convertor, crd.Name}, nil
}

// convertor is Make for a definition of its own.
func (c Config) convertor(
	crd *apiextensionsv1.CustomResourceDefinition,
) (runtime.ObjectConvertor, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := check(crd.Spec.Conversion); err != nil {
		return nil, err
	}
	client := crd.Spec.Conversion.Webhook.ClientConfig
	if len(bytes.TrimSpace(client.CABundle)) == 0 {
		client.CABundle = c.CABundle
	}
	factory, err := conversion.NewCRConverterFactory(
		webhookutil.NewDefaultServiceResolver(),
		c.connections,
	)
	if err != nil {
		return nil, err
	}
	// The other one of the two may modify the objects that it is given.
	safe, _, err := factory.NewConverter(crd)
	return safe, err
}
