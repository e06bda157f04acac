package quickstart_test

import (
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

func TestWebhooksAreWellFormed(t *testing.T) {
	t.Parallel()
	for _, w := range load(t).webhooks {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			service := w.ClientConfig.Service
			checks := []struct {
				what string
				ok   bool
			}{
				{"name is a lower-case domain, or annotations would be refused", len(validation.IsDNS1123Subdomain(w.Name)) == 0},
				{"name has three parts", strings.Count(w.Name, ".") >= 2},
				{"client is a service with a path", service != nil && service.Path != nil && w.ClientConfig.URL == nil},
				{"service has the webhook's short name", service != nil && service.Name == strings.Split(w.Name, ".")[0]},
				{"service is in the namespace webhooks", service != nil && service.Namespace == "webhooks"},
				{"caBundle is left out", len(w.ClientConfig.CABundle) == 0},
				{"sideEffects is None", w.SideEffects != nil && *w.SideEffects == registrationv1.SideEffectClassNone},
				{"reviews are v1", cmp.Equal(w.AdmissionReviewVersions, []string{"v1"})},
				{"there is one rule", len(w.Rules) == 1},
			}
			for _, check := range checks {
				if !check.ok {
					t.Errorf("does not hold: %s", check.what)
				}
			}
		})
	}
}

// TestStory matches every pod with the selectors of every webhook, so that each
// pod still shows its effect.
func TestStory(t *testing.T) {
	t.Parallel()
	loaded := load(t)
	got := map[string][]string{}
	for _, pod := range loaded.pods {
		namespace, ok := loaded.namespaces[pod.Namespace]
		if !ok {
			t.Errorf("pod %s is in namespace %q, which is not in the file", pod.Name, pod.Namespace)
		}
		for _, w := range loaded.webhooks {
			if selects(t, w.NamespaceSelector, namespace) && selects(t, w.ObjectSelector, pod.Labels) {
				got[pod.Name] = append(got[pod.Name], w.ClientConfig.Service.Name)
			}
		}
	}
	want := map[string][]string{
		"web":      {"label-defaulter", "sidecar-injector", "image-policy"},
		"debug":    {"label-defaulter", "image-policy"},
		"stranger": {"label-defaulter", "image-policy"},
		"report":   {"label-defaulter", "image-policy", "slow"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("webhooks by pod (-want +got):\n%s", diff)
	}
}

// TestPolicies pins the settings that the effects depend on.
func TestPolicies(t *testing.T) {
	t.Parallel()
	var reinvocable, ignored, conditional []string
	for _, w := range load(t).webhooks {
		service := w.ClientConfig.Service.Name
		if w.Reinvocable() {
			reinvocable = append(reinvocable, service)
		}
		if w.IgnoresFailures() && w.TimeoutSeconds != nil && *w.TimeoutSeconds == 1 {
			ignored = append(ignored, service)
		}
		if len(w.MatchConditions) > 0 {
			conditional = append(conditional, service)
		}
	}
	got := [][]string{reinvocable, ignored, conditional}
	want := [][]string{{"label-defaulter"}, {"slow"}, {"image-policy"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reinvocable, fail-open, conditional (-want +got):\n%s", diff)
	}
}

func TestMatchCondition(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, why string
		groups    []string
		want      bool
	}{
		{
			name:   "person",
			why:    "people are what the policy is for",
			groups: []string{"developers", "system:authenticated"},
			want:   true,
		},
		{
			name:   "node",
			why:    "a kubelet reports pods that run already; denying it changes nothing",
			groups: []string{"system:nodes", "system:authenticated"},
			want:   false,
		},
	}
	seen := map[string]bool{}
	program := condition(t)
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		seen[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			request := map[string]any{"userInfo": map[string]any{"groups": row.groups}}
			got, _, err := program.Eval(map[string]any{"request": request})
			if err != nil {
				t.Fatalf("evaluating: %v", err)
			}
			if got.Value() != row.want {
				t.Errorf("got %v, want %v: %s", got.Value(), row.want, row.why)
			}
		})
	}
}

// condition compiles the only match condition of the files.
func condition(t *testing.T) cel.Program {
	t.Helper()
	var conditions []registrationv1.MatchCondition
	for _, w := range load(t).webhooks {
		conditions = append(conditions, w.MatchConditions...)
	}
	if len(conditions) != 1 {
		t.Fatalf("got %d match conditions, want 1", len(conditions))
	}
	env, err := cel.NewEnv(cel.Variable("request", cel.DynType))
	if err != nil {
		t.Fatalf("making a CEL environment: %v", err)
	}
	ast, issues := env.Compile(conditions[0].Expression)
	if err := issues.Err(); err != nil {
		t.Fatalf("compiling: %v", err)
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatalf("planning: %v", err)
	}
	return program
}
