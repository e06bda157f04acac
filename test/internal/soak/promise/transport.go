package promise

import (
	"context"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
)

func switchingProtocols() Promise {
	return Promise{
		Name: "switching-protocols",
		Says: "a call that the webhook answers with status 101 and then nothing ends at its timeout at the latest",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{
				phase: admission.Mutating, webhooks: []webhook{hook(seconds(1))},
				script: faultserver.Script{Requests: [][]faultserver.Step{{
					{Answer: &faultserver.Answer{Status: 101, Headers: []faultserver.Header{
						{Name: "Connection", Value: faultserver.Plain("Upgrade")},
						{Name: "Upgrade", Value: faultserver.Plain("silence")},
					}}},
					{Hang: true},
				}}},
			}
			return play(ctx, side, st, func(s *scene) error {
				limited, cancel := context.WithTimeout(ctx, 2*time.Second)
				defer cancel()
				o := s.sendFor(limited, unbearable, pod(nil))
				if o.hung {
					return broken("with a timeout of 1 s and a deadline of 2 s, the request had not returned after %s", unbearable)
				}
				return nil
			})
		},
	}
}

func retryAfter() Promise {
	return Promise{
		Name: "retry-after",
		Says: "the plugin calls a webhook that answers 429 with Retry-After once, and does not repeat the call",
		Check: func(ctx context.Context, side Side) error {
			st := &stage{
				phase: admission.Validating, webhooks: []webhook{hook()},
				script: answer(faultserver.Answer{Status: 429, Headers: []faultserver.Header{{Name: "Retry-After", Value: faultserver.Plain("0")}}}),
			}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, pod(nil))
				if n := s.requests(); n > 1 {
					return broken("one request became %d calls", n)
				}
				return o.failed()
			})
		},
	}
}

func goAway() Promise {
	return Promise{
		Name: "goaway",
		Says: "the plugin opens at most three connections for a call if the webhook ends each with GOAWAY",
		Check: func(ctx context.Context, side Side) error {
			const most = 3
			st := &stage{
				phase: admission.Validating, webhooks: []webhook{hook(at("https://{{address}}/x"))},
				script: faultserver.Script{
					Connections: []faultserver.Connection{{TLS: faultserver.TLS{ALPN: []string{"h2"}}}},
					Requests: [][]faultserver.Step{{
						{Read: faultserver.ReadHeaders}, {GoAway: &faultserver.GoAway{}}, {Close: true},
					}},
				},
				connections: connections{mostMade: 20},
			}
			return play(ctx, side, st, func(s *scene) error {
				o := s.send(ctx, pod(nil))
				if n := s.connections.made.Load(); n > most {
					return broken("one call made %d connections, and would have made more", n)
				}
				return o.failed()
			})
		},
	}
}
