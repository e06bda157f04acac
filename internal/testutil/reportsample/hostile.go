package reportsample

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
)

// Evil tries to break out of text: the end of the script that contains it, a
// comment, an attribute, a line of JavaScript, a template, a path.
const Evil = "</script><script>alert(1)</script><!-- <script> ]]> \" ' ` ${alert(1)} {{.}} \u2028\u2029\x00\u202e\\ <img src=x onerror=alert(1)> javascript:alert(1) #item-9/call-9"

// Hostile returns an explanation in which every text is Evil, and one value is long.
func Hostile() *explain.Explanation {
	text, _ := json.Marshal(Evil) // a string always can be
	long, _ := json.Marshal(strings.Repeat("x", 100_000))
	key := explain.Path{}.Key("__proto__").Key(Evil).String()
	writer := explain.Writer{By: "webhook", Webhook: Evil, Configuration: Evil}
	object := []byte(
		`{"__proto__":{` + string(
			text,
		) + `:` + string(
			text,
		) + `},"constructor":` + string(
			long,
		) + `,"10":1.0,"9":1e400}`,
	)
	return &explain.Explanation{
		Request: explain.Request{
			Operation: Evil, Namespace: Evil, Name: Evil, Subresource: Evil,
			Resource: metav1.GroupVersionResource{Group: Evil, Version: Evil, Resource: Evil},
			User:     explain.User{Name: Evil, Groups: []string{Evil}},
			Object:   object,
		},
		Status:   &metav1.Status{Message: Evil, Reason: metav1.StatusReason(Evil)},
		Warnings: []string{Evil},
		Rounds: []explain.Round{{Phase: mutating, Cause: Evil, Policies: hostilePolicies(text),
			Webhooks: []explain.Webhook{
				{
					Name:          Evil,
					Configuration: Evil,
					UID:           Evil,
					Stage:         Evil,
					Reason:        Evil,
					Hint:          Evil,
					Error:         Evil,
					Match:         explain.Match{Rule: -1, RuleMisses: []string{Evil}},
				},
				{Name: Evil, Configuration: Evil, Called: true, Stage: "matched", Call: hostileCall(text)},
			}}},
		Fields: []explain.Field{
			{
				Path:    key,
				Value:   text,
				Writer:  writer,
				Earlier: []explain.Write{{Writer: writer, Value: text}},
			},
		},
		Removed: []explain.Field{
			{Path: Evil, Writer: writer, Earlier: []explain.Write{{Writer: writer, Value: text}}},
		},
		Fights: []explain.Fight{
			{Path: key, Writes: []explain.Write{{Writer: writer, Value: text}}},
		},
		AuditAnnotations: []explain.Annotation{{Key: Evil, Value: Evil, Level: Evil}},
		Metrics:          []explain.Metric{{Name: Evil, Labels: map[string]string{Evil: Evil}, Delta: 1}},
		Object:           object,
		Redacted:         []string{Evil},
		Problems:         []string{Evil},
	}
}

func hostilePolicies(text json.RawMessage) []explain.Policy {
	match := explain.PolicyMatch{Name: Evil, Applies: true, Stage: Evil}
	miss := match
	miss.Applies, miss.Reason, miss.Hint, miss.Error = false, Evil, Evil, Evil
	bindings := []explain.PolicyBinding{
		{PolicyMatch: miss},
		{PolicyMatch: match, Actions: []string{Evil}, Evaluations: []explain.PolicyEvaluation{{
			Param: Evil, Excluded: Evil, Error: Evil,
			Expressions:      []explain.Expression{{Field: Evil, Value: Evil}},
			Validations:      []explain.PolicyValidation{{Denied: true, Message: Evil}},
			AuditAnnotations: map[string]string{Evil: Evil},
			Mutations: []explain.PolicyMutation{
				{Changes: []explain.Change{{Path: Evil, Op: Evil, Old: text, New: text}}},
			},
		}}},
	}
	return []explain.Policy{{PolicyMatch: miss}, {PolicyMatch: match, Bindings: bindings}}
}

func hostileCall(text json.RawMessage) *explain.Call {
	return &explain.Call{
		URL:              "javascript:alert(1)",
		Address:          Evil,
		TLS:              Evil,
		Fault:            Evil,
		Outcome:          Evil,
		Error:            Evil,
		Policy:           Evil,
		Patch:            []explain.Operation{{Op: Evil, Path: Evil, From: Evil, Value: text}},
		Changes:          []explain.Change{{Path: Evil, Op: Evil, Old: text, New: text}},
		Warnings:         []string{Evil},
		AuditAnnotations: map[string]string{Evil: Evil, "__proto__": Evil},
		Request:          text,
		Response:         text,
	}
}
