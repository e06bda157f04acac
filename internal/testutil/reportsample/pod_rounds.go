package reportsample

import (
	"encoding/json"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
)

const (
	mutating   = "mutating"
	validating = "validating"
)

func firstRound() explain.Round {
	return explain.Round{Phase: mutating, Webhooks: []explain.Webhook{
		called("platform-teams", "teams.example.com", 0, teamsCall()),
		skipped("platform-images", "digests.images.example.com", 1, "rules",
			"no rule matches: rules[0] by its resources",
			"rules[0] lists deployments, the request is pods: add pods"),
		called("mesh", "sidecar.mesh.example.com", 2, sidecarCall()),
		called("finance", "cost.finance.example.com", 3, financeCall()),
		skipped("vault", "secrets.vault.example.com", 4, "namespaceSelector",
			"the namespace's labels {kubernetes.io/metadata.name=prod} do not match vault=enabled",
			"namespace prod lacks the label vault=enabled"),
	}}
}

func secondRound() explain.Round {
	const unchanged = "its reinvocationPolicy is not IfNeeded"
	again := called("platform-teams", "teams.example.com", 0, teamsAgain())
	return explain.Round{
		Phase: mutating, Round: 1,
		Cause: "cost.finance.example.com changed metadata.labels['example.com/cost-center'] after teams.example.com (reinvocationPolicy IfNeeded) had been called",
		Webhooks: []explain.Webhook{
			again,
			skipped("platform-images", "digests.images.example.com", 1, "reinvocation",
				"it was not called in round 0, so it never is in round 1", ""),
			skipped("mesh", "sidecar.mesh.example.com", 2, "reinvocation", unchanged,
				"reinvocationPolicy IfNeeded would have had it called again"),
			skipped("finance", "cost.finance.example.com", 3, "reinvocation", unchanged,
				"reinvocationPolicy IfNeeded would have had it called again"),
			skipped("vault", "secrets.vault.example.com", 4, "reinvocation",
				"it was not called in round 0, so it never is in round 1", ""),
		},
	}
}

func validatingRound() explain.Round {
	conditional := skipped("platform-network", "egress.network.example.com", 5, "matchConditions",
		`the condition "has-egress" is false`, `has-egress: 'egress' in object.metadata.labels`)
	conditional.Match.Conditions = []explain.Condition{
		{Name: "not-system", Expression: "!request.userInfo.username.startsWith('system:node:')", Value: pointer(true), Cost: 5},
		{Name: "has-egress", Expression: "'egress' in object.metadata.labels", Value: pointer(false), Cost: 3},
	}
	return explain.Round{Phase: validating, Webhooks: []explain.Webhook{
		called("platform-images", "policy.images.example.com", 0, imagesCall()),
		called("platform-limits", "limits.example.com", 1, limitsCall()),
		called("security", "scanner.security.example.com", 2, scannerCall()),
		called("platform-quota", "quota.example.com", 3, quotaCall()),
		skipped("legacy", "owners.legacy.example.com", 4, "objectSelector",
			"the object's labels {app=web} do not match owner", "the object lacks the label owner"),
		conditional,
	}}
}

func called(configuration, name string, position int, c *explain.Call) explain.Webhook {
	w := webhook(configuration, name, position)
	w.Called, w.Stage, w.Call = true, "matched", c
	w.Match = explain.Match{
		Rule:            0,
		RuleMisses:      []string{"matched"},
		NamespaceLabels: map[string]string{"kubernetes.io/metadata.name": "prod"},
		ObjectLabels:    map[string]string{"app": "web"},
		Target: &explain.Target{
			Resource: metav1.GroupVersionResource{Version: "v1", Resource: "pods"},
			Kind:     metav1.GroupVersionKind{Version: "v1", Kind: "Pod"},
		},
	}
	return w
}

func skipped(configuration, name string, position int, stage, reason, hint string) explain.Webhook {
	w := webhook(configuration, name, position)
	w.Stage, w.Reason, w.Hint = stage, reason, hint
	w.Match = explain.Match{Rule: -1}
	if stage == "rules" {
		w.Match.RuleMisses = []string{"resources"}
		w.Spec.Rules[0].Resources = []string{"deployments"}
	}
	return w
}

func webhook(configuration, name string, position int) explain.Webhook {
	return explain.Webhook{
		Configuration: configuration, Name: name, UID: configuration + "/" + name + "/0", Position: position,
		Spec: explain.Spec{
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{registrationv1.Create, registrationv1.Update},
				Rule: registrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"},
					Resources: []string{"pods"}},
			}},
			MatchPolicy:        "Equivalent",
			NamespaceSelector:  &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"kube-system"}}}},
			ObjectSelector:     &metav1.LabelSelector{},
			FailurePolicy:      "Fail",
			SideEffects:        "None",
			ReinvocationPolicy: "Never",
			TimeoutSeconds:     10,
		},
	}
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func pointer(b bool) *bool { return &b }
