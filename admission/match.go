package admission

import (
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Match records whether a webhook matches a request, and why. Observers receive
// a Match for every webhook of the phase, whether it is called or not. Do not
// modify it.
type Match struct {
	// Webhook is the webhook that was matched.
	Webhook *Webhook
	// Operation is the request's operation.
	Operation admissionv1.Operation
	// Round is 0, or 1 if the mutating chain runs again.
	Round int
	// Index is the webhook's position among all webhooks of its phase.
	Index int

	// Stage is the first stage that excluded the webhook, or StagePassed.
	Stage Stage
	// Target is the resource in the version that the webhook receives. It is
	// set if a rule matched.
	Target Target
	// Rule is the index of the rule that matched, or -1.
	Rule int
	// Err is an error that ends the whole request, whatever the webhook's
	// failurePolicy (S-082). It is a *StatusError of apimachinery.
	Err error
	// Conditions is the result of the matchConditions. It is zero if they were
	// not evaluated.
	Conditions Conditions
	// Seen contains the values that the stages read. It is set only if an
	// observer receives a Match of every webhook.
	Seen *Seen
}

// Matched reports whether the webhook receives the request.
func (m *Match) Matched() bool { return m.Stage == StagePassed && m.Err == nil }

// Target is a resource and kind in the version that a webhook receives. It
// differs from the request's own if only an equivalent resource matched.
type Target struct {
	Resource    schema.GroupVersionResource
	Subresource string
	Kind        schema.GroupVersionKind
}

// Stage is a step of matching. The constants have the order of the steps
// (S-080), so a later stage implies that the earlier ones passed.
type Stage uint8

const (
	// StageExempt excludes requests for admission configuration itself (S-012).
	StageExempt Stage = 1 + iota
	// StageExcluded excludes requests for resources that no webhook may
	// receive, by default the authentication and authorization reviews (S-011).
	StageExcluded
	// StageNamespaceSelector compares the namespace's labels.
	StageNamespaceSelector
	// StageObjectSelector compares the labels of the new and the old object.
	StageObjectSelector
	// StageRules compares operation, resource and scope, of the request and of
	// its equivalents.
	StageRules
	// StageConditions evaluates the matchConditions.
	StageConditions
	// StageReinvocation excludes webhooks that match but are not due in the
	// second round (S-165).
	StageReinvocation
	// StagePassed means that no stage excluded the webhook.
	StagePassed
)

// String returns the stage's name as explanations print it.
func (s Stage) String() string {
	names := [...]string{
		StageExempt:            "exempt kind",
		StageExcluded:          "excluded resource",
		StageNamespaceSelector: "namespaceSelector",
		StageObjectSelector:    "objectSelector",
		StageRules:             "rules",
		StageConditions:        "matchConditions",
		StageReinvocation:      "reinvocation",
		StagePassed:            "matched",
	}
	if s == 0 || int(s) >= len(names) {
		return "unknown"
	}
	return names[s]
}

// Seen contains the values that matching read, up to the stage that excluded
// the webhook.
type Seen struct {
	// NamespaceLabels are the labels that the namespaceSelector was compared
	// with; nil if no look-up was needed.
	NamespaceLabels map[string]string
	// ObjectLabels and OldObjectLabels are the labels that the objectSelector
	// was compared with; nil for an object that is absent or has no metadata.
	ObjectLabels, OldObjectLabels map[string]string
	// RuleMisses has, for each rule in order, the part that did not match the
	// request's own resource. Rules after the one that matched are absent.
	RuleMisses []RulePart
	// Equivalents are the other resources that matching tried under matchPolicy
	// Equivalent, in the order of the mapper (S-120).
	Equivalents []schema.GroupVersionResource
}

// RulePart is a part of a rule. The constants have the order of comparison
// (S-110).
type RulePart uint8

const (
	// RuleMatched means that every part matched.
	RuleMatched RulePart = 1 + iota
	// RuleScope is the rule's scope.
	RuleScope
	// RuleOperations is the rule's list of operations.
	RuleOperations
	// RuleGroups is the rule's list of API groups.
	RuleGroups
	// RuleVersions is the rule's list of API versions.
	RuleVersions
	// RuleResources is the rule's list of resources and subresources.
	RuleResources
)

// String returns the name of the field in a rule.
func (p RulePart) String() string {
	names := [...]string{
		RuleMatched:    "matched",
		RuleScope:      "scope",
		RuleOperations: "operations",
		RuleGroups:     "apiGroups",
		RuleVersions:   "apiVersions",
		RuleResources:  "resources",
	}
	if p == 0 || int(p) >= len(names) {
		return "unknown"
	}
	return names[p]
}

// Conditions is the result of a webhook's matchConditions for a request.
type Conditions struct {
	// Verdict is their common result; zero if they were not evaluated.
	Verdict Verdict
	// Excluded is the name of the first condition that was false.
	Excluded string
	// Failed is the name of the first condition that failed. It is empty if the
	// evaluation was aborted before a condition failed.
	Failed string
	// Errors counts the conditions that failed before the first false one, as
	// kube-apiserver does (S-150).
	Errors int
	// Err contains the errors of the conditions that failed, or the reason why
	// the evaluation stopped. It is set for the verdicts ConditionsFailed and
	// ConditionsAborted.
	Err error
	// Elapsed is the duration of the evaluation; zero if the result is that of
	// another webhook with the same conditions.
	Elapsed time.Duration
	// Results are the results of the evaluated conditions, in list order. They
	// are set under the same condition as Match.Seen.
	Results []ConditionResult
}

// Verdict is the common result of a webhook's conditions.
type Verdict uint8

const (
	// ConditionsTrue means that all of them were true.
	ConditionsTrue Verdict = 1 + iota
	// ConditionsFalse means that at least one was false: the webhook is skipped
	// even if others failed (S-150).
	ConditionsFalse
	// ConditionsFailed means that at least one failed and none was false; the
	// failurePolicy decides between an error and a skip (S-151).
	ConditionsFailed
	// ConditionsAborted means that the evaluation stopped early, because the
	// budget ran out or an object could not be converted for CEL (S-149).
	ConditionsAborted
)

// ConditionResult is the result of one matchCondition.
type ConditionResult struct {
	Name       string
	Expression string
	// Value is the result. It is valid if Err is nil.
	Value bool
	// Err is the reason why there is no result.
	Err error
	// Cost is the charged CEL cost.
	Cost uint64
}
