package generate

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// most is how many webhooks a phase has at most.
const most = 6

// configurations draws one or two configurations of each kind, with 1 to 12
// webhooks in all.
func configurations(t *rapid.T, w *scenario.Environment, r *resource) {
	for range below(t, "another mutating configuration", 2) + 1 {
		c := registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("m%d", len(w.Mutating))}}
		for i := range most/2 - below(t, "fewer mutating webhooks", most/2+1) {
			c.Webhooks = append(c.Webhooks, webhook(t, r, i, mutatingPaths))
		}
		w.Mutating = append(w.Mutating, c)
	}
	for range below(t, "another validating configuration", 2) + 1 {
		c := registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("v%d", len(w.Validating))}}
		for i := range below(t, "validating webhooks", most/2+1) {
			c.Webhooks = append(c.Webhooks, Validating(webhook(t, r, i, validatingPaths)))
		}
		w.Validating = append(w.Validating, c)
	}
	// The order of the list is not the order in which they are called.
	if boolean(t, "names are not in order") {
		for i := range w.Mutating {
			w.Mutating[i].Name = fmt.Sprintf("m%d", len(w.Mutating)-i)
		}
	}
}

func webhook(t *rapid.T, r *resource, i int, paths []string) registrationv1.MutatingWebhook {
	w := registrationv1.MutatingWebhook{
		Name:                    name(t, i),
		ClientConfig:            clientConfig(t, paths),
		NamespaceSelector:       selector(t, "namespaceSelector"),
		ObjectSelector:          selector(t, "objectSelector"),
		MatchConditions:         conditions(t),
		FailurePolicy:           oneOf(t, "failurePolicy", []*registrationv1.FailurePolicyType{new(registrationv1.Fail), new(registrationv1.Ignore), new(registrationv1.Ignore), nil}),
		MatchPolicy:             oneOf(t, "matchPolicy", []*registrationv1.MatchPolicyType{nil, nil, new(registrationv1.Exact), new(registrationv1.Equivalent), new(registrationv1.Equivalent)}),
		SideEffects:             oneOf(t, "sideEffects", sideEffects),
		ReinvocationPolicy:      oneOf(t, "reinvocationPolicy", []*registrationv1.ReinvocationPolicyType{nil, new(registrationv1.NeverReinvocationPolicy), new(registrationv1.IfNeededReinvocationPolicy), new(registrationv1.IfNeededReinvocationPolicy), new(registrationv1.IfNeededReinvocationPolicy)}),
		AdmissionReviewVersions: oneOf(t, "reviewVersions", reviewVersions),
		TimeoutSeconds:          oneOf(t, "timeoutSeconds", []*int32{nil, new(int32(5)), new(int32(30))}),
	}
	for range 1 + oneOf(t, "more rules", []int{0, 0, 1, 2}) {
		w.Rules = append(w.Rules, rule(t, r))
	}
	if rarely(t, "no rules", 30) {
		w.Rules = nil
	}
	return w
}

var (
	sideEffects = []*registrationv1.SideEffectClass{
		new(registrationv1.SideEffectClassNone), new(registrationv1.SideEffectClassNone), new(registrationv1.SideEffectClassNone),
		new(registrationv1.SideEffectClassNoneOnDryRun), new(registrationv1.SideEffectClassNoneOnDryRun),
		new(registrationv1.SideEffectClassSome), new(registrationv1.SideEffectClassUnknown), nil,
	}
	reviewVersions = [][]string{
		{"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"}, {"v1"},
		{"v1", "v1beta1"}, {"v1", "v1beta1"}, {"v1beta1", "v1"}, {"v1beta1", "v1"}, {"v1beta1"}, {"v1beta1"}, {"v1beta1"}, {"v2", "v1"}, {"v2", "v1"}, {"v2"},
	}
)

// name draws a webhook's name; some are no prefix for an annotation, and two
// may be the same.
func name(t *rapid.T, i int) string {
	switch {
	case rarely(t, "twin", 12):
		return "twin.example.com"
	case rarely(t, "not a domain", 15):
		return fmt.Sprintf("Hook_%d", i)
	default:
		return fmt.Sprintf("hook%d.example.com", i)
	}
}

// clientConfig draws an address: nearly always the server's, where each path is
// another webhook.
func clientConfig(t *rapid.T, paths []string) registrationv1.WebhookClientConfig {
	path := oneOf(t, "path", paths)
	at := func(url string) registrationv1.WebhookClientConfig {
		return registrationv1.WebhookClientConfig{URL: &url, CABundle: []byte("CA")}
	}
	switch below(t, "address", 40) {
	case 39:
		return at("https://127.0.0.1:1" + path) // the port is closed
	case 38:
		return at("https://webhook/no%zz")
	case 37:
		return registrationv1.WebhookClientConfig{CABundle: []byte("CA")}
	case 36:
		return registrationv1.WebhookClientConfig{URL: new("https://webhook" + path)} // no caBundle, so the certificate is not trusted
	case 31, 32, 33, 34, 35:
		return registrationv1.WebhookClientConfig{
			Service:  &registrationv1.ServiceReference{Namespace: "shop", Name: "hooks", Path: &path},
			CABundle: []byte("CA"),
		}
	default:
		return at("https://webhook" + path)
	}
}

// rule draws a rule that usually has to do with r.
func rule(t *rapid.T, r *resource) registrationv1.RuleWithOperations {
	groups, versions := []string{r.group}, []string{r.version}
	if len(r.others) > 0 && !rarely(t, "under its own name", 3) {
		other := oneOf(t, "other name", r.others)
		groups, versions = []string{other.Group}, []string{other.Version}
	}
	return registrationv1.RuleWithOperations{
		Operations: oneOf(t, "operations", [][]registrationv1.OperationType{
			{"*"}, {"*"}, {"*"}, {"*"}, {"CREATE", "UPDATE"}, {"CREATE", "UPDATE"}, {"CREATE"}, {"UPDATE", "DELETE"}, {"CONNECT", "CREATE"}}),
		Rule: registrationv1.Rule{
			APIGroups:   oneOf(t, "apiGroups", [][]string{groups, groups, groups, groups, groups, groups, {"*"}, {"none.example.com"}, append([]string{"other.example.com"}, groups...)}),
			APIVersions: oneOf(t, "apiVersions", [][]string{versions, versions, versions, versions, versions, versions, {"*"}, {"v9"}}),
			Resources: oneOf(t, "resources", [][]string{
				{r.whole()}, {r.whole()}, {r.whole()}, {r.whole()}, {r.whole()}, {r.whole()}, {"*/*"}, {"*"}, {r.plural}, {r.plural + "/*"},
				{"*/" + r.subresource}, {"other", r.whole()}, {"other"}}),
			Scope: oneOf(t, "scope", []*registrationv1.ScopeType{
				nil, nil, nil, nil, new(registrationv1.AllScopes), new(registrationv1.AllScopes), new(registrationv1.NamespacedScope), new(registrationv1.ClusterScope)}),
		},
	}
}

// Validating returns the same webhook of the other kind.
func Validating(w registrationv1.MutatingWebhook) registrationv1.ValidatingWebhook {
	return registrationv1.ValidatingWebhook{
		Name: w.Name, ClientConfig: w.ClientConfig, Rules: w.Rules, FailurePolicy: w.FailurePolicy, MatchPolicy: w.MatchPolicy,
		NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector, SideEffects: w.SideEffects,
		TimeoutSeconds: w.TimeoutSeconds, AdmissionReviewVersions: w.AdmissionReviewVersions, MatchConditions: w.MatchConditions,
	}
}
