package calibration

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission/configuration"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/namespace"

	"example.com/gatehouse/test/internal/informers"
)

// TestInformers runs each fault of an API server beside gatehouse's sources, which must
// keep the promise of package test/internal/informers. With -chance, kube-apiserver's
// run beside them: the log has their figures, which depend on chance and are not judged.
func TestInformers(t *testing.T) {
	t.Parallel()
	sides := []informers.Side{informers.Gatehouse()}
	if *chance {
		sides = append(sides, informers.Side{Name: "kube-apiserver", Open: openUpstream})
	}
	for _, fault := range append(informers.Faults(), informers.Healthy) {
		t.Run(strings.ReplaceAll(string(fault), " ", "-"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				reports, err := informers.Run(t.Context(), informers.Story(fault), sides...)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range reports[0].Violations {
					t.Error(v)
				}
				for i, r := range reports {
					t.Logf("%s: %d questions, %d without an answer, %d wrong answers %s", sides[i].Name,
						r.Asked, r.Unready, r.Broken, strings.Join(r.Violations, "; "))
				}
			})
		})
	}
}

// openUpstream opens kube-apiserver's sources of webhooks and namespaces.
func openUpstream(f *informers.Factory) ([]informers.Subject, func(), error) {
	none := sets.New[schema.GroupResource]()
	labels := namespace.Matcher{NamespaceLister: f.Core().V1().Namespaces().Lister(), Client: f.Kube}
	return []informers.Subject{
		{Resource: informers.Mutating, InForce: inForce(configuration.NewMutatingWebhookConfigurationManager(f, none))},
		{Resource: informers.Validating, InForce: inForce(configuration.NewValidatingWebhookConfigurationManager(f, none))},
		{Resource: informers.Namespaces, InForce: informers.NamespaceInForce(
			func(ctx context.Context, name string) (map[string]string, error) {
				ns, err := labels.GetNamespace(ctx, name)
				if err != nil {
					return nil, err
				}
				return ns.Labels, nil
			})},
	}, func() {}, nil
}

func inForce(s generic.Source) func(context.Context, string) (informers.State, error) {
	return func(context.Context, string) (informers.State, error) {
		if !s.HasSynced() {
			return "", informers.ErrNotReady
		}
		var all []string
		for _, w := range s.Webhooks() {
			all = append(all, informers.WebhookState(w.GetConfigurationName(), urlOf(w)))
		}
		return informers.Join(all), nil
	}
}

func urlOf(w webhook.WebhookAccessor) string {
	if m, ok := w.GetMutatingWebhook(); ok {
		return *m.ClientConfig.URL
	}
	v, _ := w.GetValidatingWebhook()
	return *v.ClientConfig.URL
}
