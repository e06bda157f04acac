package reportsample

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
)

// Policies returns a ConfigMap that one policy labels and another denies.
func Policies() *explain.Explanation {
	applies := func(name string) explain.PolicyMatch {
		return explain.PolicyMatch{Name: name, Applies: true, Stage: "passed"}
	}
	writer := explain.Writer{By: explain.ByPolicy, Policy: "team-label", Binding: "team-label-all"}
	return &explain.Explanation{
		Request: explain.Request{
			Operation: "CREATE", Namespace: "shop", Name: "settings",
			Kind:     metav1.GroupVersionKind{Version: "v1", Kind: "ConfigMap"},
			Resource: metav1.GroupVersionResource{Version: "v1", Resource: "configmaps"},
			User:     explain.User{Name: "ada@example.com"},
		},
		Status: &metav1.Status{
			Code: 422, Reason: metav1.StatusReasonInvalid, Message: "at most 3 keys",
		},
		DeniedBy: "ValidatingAdmissionPolicy few-keys",
		Rounds: []explain.Round{{Phase: mutating, Policies: []explain.Policy{
			{
				Kind: "MutatingAdmissionPolicy",
				PolicyMatch: explain.PolicyMatch{
					Name: "pods-only", Stage: "rules", Reason: "no rule matches", Hint: "add configmaps to resources",
				},
			},
			{
				Kind: "MutatingAdmissionPolicy", PolicyMatch: applies("team-label"),
				Bindings: []explain.PolicyBinding{{
					PolicyMatch: applies("team-label-all"),
					Evaluations: []explain.PolicyEvaluation{{
						Cost:        80,
						Expressions: []explain.Expression{{Field: "mutations[0].applyConfiguration.expression", Value: "{}", Cost: 80}},
						Mutations: []explain.PolicyMutation{{Changes: []explain.Change{
							{Path: "metadata.labels.team", Op: "add", New: json.RawMessage(`"sellers"`)},
						}}},
					}},
				}},
			},
		}}, {Phase: validating, Policies: []explain.Policy{{
			Kind: "ValidatingAdmissionPolicy", PolicyMatch: applies("few-keys"),
			Bindings: []explain.PolicyBinding{{
				PolicyMatch: applies("few-keys-all"), Actions: []string{"Deny", "Audit"},
				Evaluations: []explain.PolicyEvaluation{{
					Param: "shop/limits",
					Validations: []explain.PolicyValidation{
						{}, {Denied: true, Message: "at most 3 keys"},
					},
				}},
			}},
		}}}},
		Object: json.RawMessage(`{"metadata":{"labels":{"team":"sellers"}}}`),
		Fields: []explain.Field{{Path: "metadata.labels.team", Value: json.RawMessage(`"sellers"`), Writer: writer}},
	}
}
