package promise

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
)

func firstDenial() Promise {
	return Promise{
		Name: "first-denial",
		Says: "if several validating webhooks deny a request, the user gets the denial of the first in order, not of the first to respond",
		Check: func(ctx context.Context, side Side) error {
			slow := denying(403, faultserver.Plain("first"))
			slow.Requests[0] = append(
				[]faultserver.Step{{Sleep: faultserver.Duration(300 * time.Millisecond)}}, slow.Requests[0]...)
			fast := denying(403, faultserver.Plain("second"))
			slow.Other = &fast
			st := &stage{phase: admission.Validating, script: slow, webhooks: []webhook{
				hook(at("https://{{address}}/x")), hook(at("https://{{other}}/x")),
			}}
			return play(ctx, side, st, func(s *scene) error {
				// On a machine that is busy the fast one may be late.
				for range 3 {
					o := s.send(ctx, pod(nil))
					if o.code() != 403 {
						return fmt.Errorf("the request was to be denied with 403, but %s", o)
					}
					if strings.Contains(o.err.Error(), "second") {
						return broken("the second of two webhooks answered first, and was heard: %v", o.err)
					}
				}
				return nil
			})
		},
	}
}

func requestOver() Promise {
	return Promise{
		Name: "request-over",
		Says: "a request that is cancelled during a call gets 504, in both phases and with both failure policies",
		Check: func(ctx context.Context, side Side) error {
			var found []string
			for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
				for _, policy := range []registrationv1.FailurePolicyType{registrationv1.Fail, registrationv1.Ignore} {
					o, err := cancelled(ctx, side, phase, policy)
					if err != nil {
						return err
					}
					if o.code() != http.StatusGatewayTimeout {
						found = append(found, fmt.Sprintf("%s, %s: %s", phase, policy, o))
					}
				}
			}
			if len(found) > 0 {
				return broken("%s", strings.Join(found, "\n"))
			}
			return nil
		},
	}
}

// cancelled is the outcome of a request that is cancelled when the webhook has
// it.
func cancelled(
	ctx context.Context, side Side, phase admission.Phase, policy registrationv1.FailurePolicyType,
) (o outcome, err error) {
	st := &stage{
		phase: phase, webhooks: []webhook{hook(func(w *webhook) { *w.FailurePolicy = policy })},
		script: faultserver.Script{Requests: [][]faultserver.Step{{{Hang: true}}}},
	}
	err = play(ctx, side, st, func(s *scene) error {
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		arrived := make(chan error, 1)
		go func() {
			arrived <- eventually(ctx, "the webhook to be called", func() bool { return s.requests() > 0 })
			cancel()
		}()
		o = s.send(limited, pod(nil))
		return <-arrived
	})
	return o, err
}

func refusedObject() Promise {
	return Promise{
		Name: "refused-object",
		Says: "a denied request keeps the object that it came with",
		Check: func(ctx context.Context, side Side) error {
			script := patching(faultserver.Plain(`[{"op":"add","path":"/spec/size","value":"large"}]`))
			script.Requests = append(script.Requests, denying(403, faultserver.Plain("no")).Requests...)
			only := func(version string) func(*webhook) {
				return func(w *webhook) {
					w.Rules[0].APIGroups, w.Rules[0].APIVersions = []string{widgets.Group}, []string{version}
				}
			}
			// The second one needs another version, to which the object is
			// converted from the request's version.
			st := &stage{phase: admission.Mutating,
				webhooks: []webhook{hook(only("v1")), hook(only("v2"))}, script: script}
			return play(ctx, side, st, func(s *scene) error {
				r := widget()
				before := r.object.DeepCopyObject()
				o := s.send(ctx, r)
				if o.code() != 403 || s.requests() != 2 {
					return fmt.Errorf(
						"the second webhook was to deny the request, but after %d calls %s", s.requests(), o)
				}
				if !equality.Semantic.DeepEqual(before, r.object) {
					return broken("the request was refused, and its object is another one: %v", r.object)
				}
				return nil
			})
		},
	}
}
