package promise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"example.com/gatehouse/admission"
)

func clientErrors() Promise {
	return Promise{
		Name: "client-errors",
		Says: "if a token file was missing, the plugin calls the webhook again as soon as the file is back",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{
				phase: admission.Validating, webhooks: []webhook{hook()},
				kubeconfig: `{"apiVersion": "v1", "kind": "Config", "users": [{"name": "*", "user": {"tokenFile": "{{dir}}/token"}}]}`,
			}
			return play(ctx, side, st, func(s *scene) error {
				first := s.send(ctx, pod(nil))
				if err := first.failed(); err != nil {
					return fmt.Errorf("without a token: %w", err)
				}
				if err := os.WriteFile(filepath.Join(s.dir, "token"), []byte("token"), 0o600); err != nil {
					return err
				}
				if o := s.send(ctx, pod(nil)); !o.allowed() {
					return broken("with the token file back, the next request was not allowed: %s", o)
				}
				return nil
			})
		},
	}
}
