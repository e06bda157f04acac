package cli

import (
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher/client"
)

// newClient returns a client that connects to where the routes say.
func newClient(o *options, credentials webhookutil.AuthenticationInfoResolver, r routes) (*client.Client, error) {
	c, err := client.New(client.Config{
		AuthInfo: &proxied{next: credentials, routes: r},
		Dial:     r.dial,
		Exact:    o.exact,
	})
	if err != nil {
		return nil, fmt.Errorf("preparing to call webhooks: %w", err)
	}
	return c, nil
}

// readCredentials reads the file of --kubeconfig-auth. Without one there are no
// credentials.
func readCredentials(o *options) (webhookutil.AuthenticationInfoResolver, error) {
	credentials, err := client.KubeconfigAuth(o.kubeconfigAuth, o.exact)
	var pathError *os.PathError
	switch {
	case err == nil:
		return credentials, nil
	case errors.As(err, &pathError):
		return nil, fmt.Errorf("--kubeconfig-auth: %s: cannot be read: %w", o.kubeconfigAuth, pathError.Err)
	default:
		// clientcmd names the file.
		return nil, fmt.Errorf("--kubeconfig-auth: %w", err)
	}
}

// proxied adds the routes' choice of a proxy to the credentials of another
// resolver.
type proxied struct {
	next   webhookutil.AuthenticationInfoResolver
	routes routes
}

func (p *proxied) ClientConfigFor(hostPort string) (*rest.Config, error) {
	return p.add(p.next.ClientConfigFor(hostPort))
}

func (p *proxied) ClientConfigForService(name, namespace string, port int) (*rest.Config, error) {
	return p.add(p.next.ClientConfigForService(name, namespace, port))
}

func (p *proxied) add(found *rest.Config, err error) (*rest.Config, error) {
	if err != nil {
		return nil, err
	}
	c := rest.CopyConfig(found)
	c.Proxy = p.routes.proxy
	return c, nil
}

// readCA returns the certificates of --ca-file, or nil if there is none.
func readCA(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		var pathError *os.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return nil, fmt.Errorf("--ca-file: %s: cannot be read: %w", file, err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("--ca-file: %s: holds no certificate in PEM", file)
	}
	return pem, nil
}

// trust gives a CA to those webhooks of a configuration that name none.
func trust(configuration runtime.Object, ca []byte) {
	switch c := configuration.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		for i := range c.Webhooks {
			trustOne(&c.Webhooks[i].ClientConfig, ca)
		}
	case *registrationv1.ValidatingWebhookConfiguration:
		for i := range c.Webhooks {
			trustOne(&c.Webhooks[i].ClientConfig, ca)
		}
	}
}

func trustOne(c *registrationv1.WebhookClientConfig, ca []byte) {
	if len(c.CABundle) == 0 {
		c.CABundle = ca
	}
}
