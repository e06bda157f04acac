package main

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/registration"
)

// edit changes the i-th webhook of a row.
type edit func(i int, w *registrationv1.ValidatingWebhook)

// validatingWebhooks makes configurations with some webhooks each, count in
// all.
func validatingWebhooks(count, each int, edits ...edit) []runtime.Object {
	var all []runtime.Object
	for first := 0; first < count; first += each {
		c := &registrationv1.ValidatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("validating-%05d", first)},
		}
		for i := first; i < min(first+each, count); i++ {
			c.Webhooks = append(c.Webhooks, newWebhook(i, edits))
		}
		registration.Default(c)
		all = append(all, c)
	}
	return all
}

// mutatingWebhooks makes one configuration.
func mutatingWebhooks(
	count int, again registrationv1.ReinvocationPolicyType, edits ...edit,
) []runtime.Object {
	c := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "mutating"}}
	for i := range count {
		w := newWebhook(i, edits)
		c.Webhooks = append(c.Webhooks, registrationv1.MutatingWebhook{
			Name: w.Name, ClientConfig: w.ClientConfig, Rules: w.Rules, SideEffects: w.SideEffects,
			AdmissionReviewVersions: w.AdmissionReviewVersions, ReinvocationPolicy: &again,
		})
	}
	registration.Default(c)
	return []runtime.Object{c}
}

func newWebhook(i int, edits []edit) registrationv1.ValidatingWebhook {
	w := registrationv1.ValidatingWebhook{
		Name: fmt.Sprintf("hook-%d.example.com", i),
		ClientConfig: registrationv1.WebhookClientConfig{URL: new(
			"https://webhook.example" + path(i))},
		Rules:                   rules(creation(podEndpoint())),
		SideEffects:             new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
	}
	for _, e := range edits {
		e(i, &w)
	}
	return w
}

// path is the path of the i-th webhook.
func path(i int) string { return fmt.Sprintf("/hook-%d", i) }

func rules(
	all ...registrationv1.RuleWithOperations,
) []registrationv1.RuleWithOperations {
	return all
}

func creation(at endpoint) registrationv1.RuleWithOperations {
	return registrationv1.RuleWithOperations{
		Operations: []registrationv1.OperationType{registrationv1.Create},
		Rule: registrationv1.Rule{
			APIGroups: []string{
				at.kind.Group,
			},
			APIVersions: []string{at.kind.Version},
			Resources:   []string{at.resource},
		},
	}
}

// asking makes webhooks match the creation of another resource than pods.
func asking(at endpoint) edit {
	return func(_ int, w *registrationv1.ValidatingWebhook) { w.Rules = rules(creation(at)) }
}

// elsewhere has webhooks ask for what is not there: by turns another group,
// another resource, another operation, and what has no namespace.
func elsewhere(i int, w *registrationv1.ValidatingWebhook) {
	r := &w.Rules[0]
	switch i % 4 {
	case 0:
		r.APIGroups = []string{"apps", "batch"}
	case 1:
		r.Resources = []string{"services", "configmaps"}
	case 2:
		r.Operations = []registrationv1.OperationType{registrationv1.Delete, registrationv1.Update}
	case 3:
		r.Scope = new(registrationv1.ClusterScope)
	}
}

// excluding gives webhooks three conditions, of which the last is false. The
// text in the others is that of the i-th webhook if they shall all be
// different.
func excluding(different bool) edit {
	return func(i int, w *registrationv1.ValidatingWebhook) {
		suffix := ""
		if different {
			suffix = fmt.Sprintf("-%d", i)
		}
		w.MatchConditions = []registrationv1.MatchCondition{
			{
				Name:       "namespace",
				Expression: fmt.Sprintf("object.metadata.namespace != 'kube-system%s'", suffix),
			},
			{Name: "user", Expression: fmt.Sprintf("request.userInfo.username != 'system:admin%s'", suffix)},
			{Name: "app", Expression: fmt.Sprintf("object.metadata.labels.app == 'api%s'", suffix)},
		}
	}
}

// inService has webhooks be services, which certificates of an authority prove.
func inService(bundle []byte) edit {
	return func(i int, w *registrationv1.ValidatingWebhook) {
		w.ClientConfig = registrationv1.WebhookClientConfig{CABundle: bundle,
			Service: &registrationv1.ServiceReference{
				Namespace: serviceNamespace, Name: fmt.Sprintf("hook-%d", i), Path: new(path(i)),
			}}
	}
}

// labelling is the responses of webhooks that each add another label.
func labelling(count int) answers {
	a := answers{}
	for i := range count {
		a[path(i)] = patching(
			fmt.Sprintf(`[{"op":"add","path":"/metadata/labels/added-%d","value":"by-webhook"}]`, i))
	}
	return a
}

// injecting is the answers of webhooks that change the pod's spec in turns, as
// injectors of sidecars, registries, settings and volumes do.
func injecting(count int) answers {
	const (
		sidecar  = `{"name":"sidecar-%[1]d","image":"registry.example.com/mesh/proxy:v1","args":["--listen=:15001"],"resources":{"requests":{"cpu":"10m"}}}`
		registry = `{"op":"replace","path":"/spec/containers/0/image","value":"mirror.example.com/web:v%[1]d"}`
	)
	turns := []string{
		`[{"op":"add","path":"/spec/containers/-","value":` + sidecar + `}]`,
		`[` + registry + `,{"op":"add","path":"/metadata/annotations/mirrored-%[1]d","value":"yes"}]`,
		`[{"op":"add","path":"/spec/containers/1/env/0","value":{"name":"ADDED_%[1]d","value":"<a> & b"}}]`,
		`[{"op":"add","path":"/spec/volumes/-","value":{"name":"added-%[1]d","emptyDir":{}}},` +
			`{"op":"add","path":"/spec/containers/0/volumeMounts/-","value":{"name":"added-%[1]d","mountPath":"/added-%[1]d"}}]`,
	}
	a := answers{}
	for i := range count {
		a[path(i)] = patching(fmt.Sprintf(turns[i%len(turns)], i))
	}
	return a
}
