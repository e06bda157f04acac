package registration

import (
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// hook is a webhook of either kind: validating ones are made from it by
// dropping reinvocationPolicy.
type hook = registrationv1.MutatingWebhook

// edit changes a hook that a row begins with.
type edit = func(*hook)

// bare is a webhook to which only sideEffects are missing.
func bare(edits ...edit) hook {
	w := hook{Name: "webhook.k8s.io", AdmissionReviewVersions: []string{"v1beta1"}}
	w.ClientConfig.URL = new("https://example.com")
	for _, change := range edits {
		change(&w)
	}
	return w
}

// fine is a webhook to which nothing is missing.
func fine(edits ...edit) hook { return bare(append([]edit{effects("None")}, edits...)...) }

func hooks(ws ...hook) []hook { return ws }

func named(name string) edit { return func(w *hook) { w.Name = name } }

func effects(c registrationv1.SideEffectClass) edit { return func(w *hook) { w.SideEffects = &c } }

func versions(v ...string) edit { return func(w *hook) { w.AdmissionReviewVersions = v } }

func timeout(seconds int32) edit { return func(w *hook) { w.TimeoutSeconds = &seconds } }

func client(c registrationv1.WebhookClientConfig) edit { return func(w *hook) { w.ClientConfig = c } }

func toURL(u string) edit { return client(registrationv1.WebhookClientConfig{URL: &u}) }

// toService sends the hook to ns/n, at port 443 unless something else is said.
func toService(change func(*registrationv1.ServiceReference)) edit {
	s := &registrationv1.ServiceReference{Namespace: "ns", Name: "n", Port: new(int32(443))}
	change(s)
	return client(registrationv1.WebhookClientConfig{Service: s})
}

func toPath(p string) edit {
	return toService(func(s *registrationv1.ServiceReference) { s.Path = &p })
}

func toPort(p int32) edit {
	return toService(func(s *registrationv1.ServiceReference) { s.Port = &p })
}

// rule is a rule to which nothing is missing, but for what change does.
func rule(change func(*registrationv1.RuleWithOperations)) edit {
	r := registrationv1.RuleWithOperations{
		Operations: []registrationv1.OperationType{"CREATE"},
		Rule: registrationv1.Rule{
			APIGroups: []string{"a"}, APIVersions: []string{"a"}, Resources: []string{"a"},
		},
	}
	change(&r)
	return func(w *hook) { w.Rules = append(w.Rules, r) }
}

func operations(o ...registrationv1.OperationType) edit {
	return rule(func(r *registrationv1.RuleWithOperations) { r.Operations = o })
}

func resources(names ...string) edit {
	return rule(func(r *registrationv1.RuleWithOperations) { r.Resources = names })
}

func when(name, expression string) edit {
	return func(w *hook) {
		w.MatchConditions = append(w.MatchConditions, registrationv1.MatchCondition{Name: name, Expression: expression})
	}
}

func objects(s metav1.LabelSelector) edit { return func(w *hook) { w.ObjectSelector = &s } }

// requirement is a selector of one expression.
func requirement(key, operator string, values ...string) metav1.LabelSelector {
	return metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{
		Key: key, Operator: metav1.LabelSelectorOperator(operator), Values: values,
	}}}
}

// bothKinds returns the configurations of either kind that have these webhooks.
func bothKinds(meta metav1.ObjectMeta, ws []hook) []Configuration {
	validating := &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta}
	for _, w := range ws {
		validating.Webhooks = append(validating.Webhooks, registrationv1.ValidatingWebhook{
			Name: w.Name, ClientConfig: w.ClientConfig, Rules: w.Rules,
			FailurePolicy: w.FailurePolicy, MatchPolicy: w.MatchPolicy,
			NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
			SideEffects: w.SideEffects, TimeoutSeconds: w.TimeoutSeconds,
			AdmissionReviewVersions: w.AdmissionReviewVersions, MatchConditions: w.MatchConditions,
		})
	}
	return []Configuration{&registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta, Webhooks: ws}, validating}
}

// config is the metadata of most rows.
func config() metav1.ObjectMeta { return metav1.ObjectMeta{Name: "config"} }

// wantText compares the whole text of the problems with a row's.
func wantText(t *testing.T, c Configuration, problems field.ErrorList, want string) {
	t.Helper()
	got := ""
	if all := problems.ToAggregate(); all != nil {
		got = all.Error()
	}
	if got != want {
		t.Errorf("%T: problems are\n%s\nwant\n%s", c, got, want)
	}
	// What is accepted must also be accepted by those who count the problems.
	if want == "" && len(problems) > 0 {
		t.Errorf("%T: %d problems without a text", c, len(problems))
	}
}

// list is the text of several problems.
func list(problems ...string) string {
	if len(problems) == 1 {
		return problems[0]
	}
	return "[" + strings.Join(problems, ", ") + "]"
}

// What every server says of values that break a common rule.
const (
	subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ` +
		`and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is ` +
		`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	labelRule = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic ` +
		`character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is ` +
		`'[a-z]([-a-z0-9]*[a-z0-9])?')`
	qualifiedRule = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an ` +
		`alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is ` +
		`'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`
	labelValueRule = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and ` +
		`must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for ` +
		`validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`
	effectsRequired = `webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun`
)
