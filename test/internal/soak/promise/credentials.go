package promise

import (
	"context"
	"fmt"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
)

// token is the secret that only its own webhook may receive.
const token = "t0ken-of-the-hook"

func redirects() Promise {
	return Promise{
		Name: "redirects",
		Says: "the plugin follows no redirect to another origin, neither with the credentials nor with the review",
		Check: func(ctx context.Context, side Side) error {
			script := answer(faultserver.Answer{Status: 307, Headers: []faultserver.Header{
				{Name: "Location", Value: faultserver.Plain("{{other}}{{path}}")},
			}})
			script.Other = &faultserver.Script{}
			st := &stage{
				phase: admission.Validating, webhooks: []webhook{hook()}, script: script,
				kubeconfig: `{"apiVersion": "v1", "kind": "Config", "users": [{"name": "hook.test.svc", "user": {"token": "` + token + `", "as": "jane"}}]}`,
			}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, pod(nil))
				other := s.server.Other().Record()
				for _, r := range other.Requests {
					return broken(
						"the other origin was sent a review of %d bytes, Authorization %q and Impersonate-User %q",
						r.Bytes, r.Header.Get("Authorization"), r.Header.Get("Impersonate-User"))
				}
				if other.Connections > 0 {
					return broken("the other origin was connected to")
				}
				return o.failed()
			})
		},
	}
}

func currentContext() Promise {
	return Promise{
		Name: "current-context",
		Says: "the plugin does not send the credentials of a kubeconfig's current context to webhooks that match none of its users",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{
				phase: admission.Validating, webhooks: []webhook{hook(at("https://unrelated.example.com/x"))},
				kubeconfig: `{"apiVersion": "v1", "kind": "Config", "current-context": "admin",
					"contexts": [{"name": "admin", "context": {"cluster": "here", "user": "admin"}}],
					"clusters": [{"name": "here", "cluster": {"server": "https://127.0.0.1"}}],
					"users": [{"name": "admin", "user": {"token": "` + token + `"}}]}`,
			}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, pod(nil))
				for _, r := range s.server.Record().Requests {
					if sent := r.Header.Get("Authorization"); sent != "" {
						return broken("a webhook at %s was sent Authorization %q", r.Host, sent)
					}
				}
				if !o.allowed() {
					return fmt.Errorf("the request was to be allowed, but %s", o)
				}
				return nil
			})
		},
	}
}
