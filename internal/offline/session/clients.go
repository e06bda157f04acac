package session

import (
	"context"
	"errors"
	"fmt"
	"os"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/internal/offline/resolve"
)

// clients are the clients by phase. The phases may have different credentials.
type clients map[admission.Phase]*client.Client

// newClients returns clients that connect with the dialer: one for all phases
// with the same kubeconfig.
func newClients(o *Options, s *server, c credentials, d *resolve.Dialer) (clients, error) {
	made, byFile := clients{}, map[string]*client.Client{}
	for phase, file := range s.kubeconfigs {
		if byFile[file] == nil {
			one, err := client.New(client.Config{
				AuthInfo: c[file],
				Dial:     d.Dial,
				Proxy:    d.Proxy,
				Exact:    o.exact,
			})
			if err != nil {
				made.close()
				return nil, fmt.Errorf("preparing to call webhooks: %w", err)
			}
			byFile[file] = one
		}
		made[phase] = byFile[file]
	}
	return made, nil
}

// Endpoint implements dispatcher.Client.
func (c clients) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	return c[w.Phase].Endpoint(ctx, w)
}

func (c clients) close() {
	for _, one := range c {
		one.Close()
	}
}

// credentials are the credentials of kubeconfigs, by file.
type credentials map[string]webhookutil.AuthenticationInfoResolver

// readCredentials reads the kubeconfigs of a server.
func readCredentials(o *Options, s *server) (credentials, error) {
	origin := "--kubeconfig-auth"
	if o.kubeconfigAuth == "" {
		origin = "--admission-control-config-file"
	}
	c := credentials{}
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		file := s.kubeconfigs[phase]
		found, err := client.KubeconfigAuth(file, o.exact)
		var pathError *os.PathError
		switch {
		case err == nil:
			c[file] = found
		case errors.As(err, &pathError):
			return nil, fmt.Errorf("%s: %s: cannot be read: %w", origin, file, pathError.Err)
		default:
			// clientcmd names the file.
			return nil, fmt.Errorf("%s: %w", origin, err)
		}
	}
	return c, nil
}
