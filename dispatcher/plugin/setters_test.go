package plugin_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

// lost is a service resolver that fails with its own name.
type lost string

func (l lost) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return nil, errors.New(string(l) + " finds nothing")
}

// atService is a webhook behind a service.
func atService() registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{Service: &registrationv1.ServiceReference{Namespace: "shop", Name: "hook"}}
}

// TestServiceResolvers sets one after another: the last that is none counts
// (S-009).
func TestServiceResolvers(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		h := host{cluster: newCluster(configured(name, "a", atService())), services: lost("first")}
		p := h.open(t, name)
		for _, step := range []struct {
			set  webhookutil.ServiceResolver
			want string
		}{
			{nil, "first finds nothing"},
			{lost("second"), "second finds nothing"},
			{nil, "second finds nothing"},
		} {
			p.(webhookinitializer.WantsServiceResolver).SetServiceResolver(step.set)
			if got := testtable.Text(admit(t.Context(), p)); !strings.Contains(got, step.want) {
				t.Errorf("%s: want %q, got %s", name, step.want, got)
			}
		}
	}
}

// trail records the order in which resolvers of credentials are called.
type resolverOrder struct {
	mu     sync.Mutex
	called []string
}

// wrapper returns a wrapper that leaves its name.
func (tr *resolverOrder) wrapper(name string) webhookutil.AuthenticationInfoResolverWrapper {
	return func(inner webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
		ask := func() {
			tr.mu.Lock()
			defer tr.mu.Unlock()
			tr.called = append(tr.called, name)
		}
		return &webhookutil.AuthenticationInfoResolverDelegator{
			ClientConfigForFunc: func(hostPort string) (*rest.Config, error) { ask(); return inner.ClientConfigFor(hostPort) },
			ClientConfigForServiceFunc: func(name, namespace string, port int) (*rest.Config, error) {
				ask()
				return inner.ClientConfigForService(name, namespace, port)
			},
		}
	}
}

// TestWrappersAddUp sets two wrappers, and none in between; a second look at
// the credentials would show if one of them had been dropped (S-009, S-022).
func TestWrappersAddUp(t *testing.T) {
	t.Parallel()
	for _, name := range bothPlugins() {
		tr := &resolverOrder{}
		h := host{
			cluster: newCluster(configured(name, "a", backend(t, allows()))),
			wrap:    tr.wrapper("first"),
		}
		p := h.prepare(t, name)
		wants := p.(webhookinitializer.WantsAuthenticationInfoResolverWrapper)
		wants.SetAuthenticationInfoResolverWrapper(nil)
		wants.SetAuthenticationInfoResolverWrapper(tr.wrapper("second"))
		h.start(t)
		if err := admit(t.Context(), p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if want := []string{"second", "first"}; !slices.Equal(tr.called, want) {
			t.Errorf("%s: want calls of %v, got %v", name, want, tr.called)
		}
	}
}

// TestAuthorizer requires matchConditions to use the server's authorizer.
func TestAuthorizer(t *testing.T) {
	t.Parallel()
	checked := func(w *registrationv1.MutatingWebhook) {
		w.MatchConditions = []registrationv1.MatchCondition{{Name: "allowed", Expression: "authorizer.requestResource.check('get').allowed()"}}
	}
	for _, name := range bothPlugins() {
		for _, decision := range []authorizer.Decision{authorizer.DecisionAllow, authorizer.DecisionDeny} {
			h := host{cluster: newCluster(configured(name, "a", backend(t, denies("it was called")), checked)), allowed: decision}
			err := admit(t.Context(), h.open(t, name))
			if called := strings.Contains(testtable.Text(err), "it was called"); called != (decision == authorizer.DecisionAllow) {
				t.Errorf("%s, decision %v: the webhook was called: %v, error %v", name, decision, called, err)
			}
		}
	}
}
