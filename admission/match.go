package admission

import (
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Match is the answer to "does this webhook visit this request?" with the
// evidence for it. Observers receive one for every webhook of the phase when
// they ask to, called or not; it must not be modified.
type Match struct {
	// Webhook is the webhook that was asked about.
	Webhook *Webhook
	// Operation is the request's operation.
	Operation admissionv1.Operation
	// Round is 0, or 1 when the mutating chain runs again.
	Round int
	// Index is the webhook's position among all webhooks of its phase.
	Index int

	// Stage is the first stage that stopped the webhook, or StagePassed.
	Stage Stage
	// Target is the resource as the webhook asked for it. It is set once a rule
	// has matched.
	Target Target
	// Rule is the index of the rule that matched, or -1.
	Rule int
	// Err is an error that ends the whole request, whatever the webhook's
	// failurePolicy says (S-082). It is a *StatusError of apimachinery.
	Err error
	// Conditions is what the matchConditions gave. It is zero when they were
	// not reached.
	Conditions Conditions
	// Seen holds the values that the stages looked at. It is set only for
	// those who asked for a record of every webhook.
	Seen *Seen
}

// Matched reports whether the webhook is to be called.
func (m *Match) Matched() bool { return m.Stage == StagePassed && m.Err == nil }

// Target is a resource and kind in the version that a webhook asked for. It
// differs from the request's own when only an equivalent resource matched.
type Target struct {
	Resource    schema.GroupVersionResource
	Subresource string
	Kind        schema.GroupVersionKind
}

// Stage is a step of matching. Stages are taken in the order in which they are
// listed here (S-080), so a later stage implies that the earlier ones passed.
type Stage uint8

const (
	// StageExempt stops requests for admission configuration itself (S-012).
	StageExempt Stage = 1 + iota
	// StageExcluded stops requests for resources that no webhook may see, by
	// default the authentication and authorization reviews (S-011).
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
	// StageReinvocation stops webhooks that match but are not due in the
	// second round (S-165).
	StageReinvocation
	// StagePassed means that nothing stopped the webhook.
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

// Seen are the values that matching looked at, as far as it came.
type Seen struct {
	// NamespaceLabels are the labels that the namespaceSelector was compared
	// with; nil when no look-up was needed.
	NamespaceLabels map[string]string
	// ObjectLabels and OldObjectLabels are what the objectSelector was compared
	// with; nil for an object that is absent or has no metadata.
	ObjectLabels, OldObjectLabels map[string]string
	// RuleMisses says for each rule, in order, which part of it did not match
	// the request's own resource. Rules after the one that matched are absent.
	RuleMisses []RulePart
	// Equivalents are the other resources that were tried under matchPolicy
	// Equivalent, in the order of the mapper (S-120).
	Equivalents []schema.GroupVersionResource
}

// RulePart is a part of a rule, in the order in which the parts are compared
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

// Conditions is what the matchConditions of a webhook gave for a request.
type Conditions struct {
	// Verdict says what they amount to; zero when they were not evaluated.
	Verdict Verdict
	// Excluded is the name of the first condition that was false.
	Excluded string
	// Failed is the name of the first condition that failed. It is empty if the
	// evaluation was aborted before a condition failed.
	Failed string
	// Errors counts the conditions that failed before the first false one.
	// kube-apiserver counts just these (S-150).
	Errors int
	// Err is the failure: what the conditions that failed said, or why none of
	// them could be evaluated. It is set for the verdicts ConditionsFailed and
	// ConditionsAborted.
	Err error
	// Elapsed is how long the evaluation took; zero if the result is that of
	// another webhook with the same conditions.
	Elapsed time.Duration
	// Results are the single conditions in list order, as far as they were
	// evaluated. Like Match.Seen they are kept only for those who asked.
	Results []ConditionResult
}

// Verdict is what the conditions of a webhook amount to.
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
	// ConditionsAborted means that evaluation stopped half-way, because the
	// budget ran out or an object could not be shown to CEL (S-149).
	ConditionsAborted
)

// ConditionResult is what one matchCondition gave.
type ConditionResult struct {
	Name       string
	Expression string
	// Value is the result; it is meaningful when Err is nil.
	Value bool
	// Err says why there is no result.
	Err error
	// Cost is the CEL cost that was charged.
	Cost uint64
}
