package whatif

import "slices"

// Field is a part of a result.
type Field string

const (
	// Verdict is allowed or denied.
	Verdict Field = "verdict"
	// Code is the code and the reason of the status of a request that both deny.
	Code Field = "code"
	// Failure is why the request cannot be simulated, such as an unknown kind.
	Failure Field = "error"

	// Message is that of the status of a request that both deny.
	Message Field = "message"
	// Warnings are those that the client receives.
	Warnings Field = "warnings"
	// Object is a field of the object after admission.
	Object Field = "object"

	// Call is the call of a webhook.
	Call Field = "call"
	// Patch is the change that a webhook made.
	Patch Field = "patch"
	// Order is the order of the calls or policies of the mutating phase.
	Order Field = "order"
	// Policy is the evaluation of a policy.
	Policy Field = "policy"
	// Annotation is an audit annotation.
	Annotation Field = "annotation"
)

// Level is how far a difference reaches.
type Level string

// The levels, each of which includes the ones before it.
const (
	// LevelVerdict is the verdict, and the code of a denial.
	LevelVerdict Level = "verdict"
	// LevelObject is what the client and the storage receive: also messages, warnings
	// and the object.
	LevelObject Level = "object"
	// LevelCalls is everything.
	LevelCalls Level = "calls"
)

// Levels are the levels in their order.
var Levels = []Level{LevelVerdict, LevelObject, LevelCalls}

// Level returns the first level that includes a field.
func (f Field) Level() Level {
	switch f {
	case Verdict, Code, Failure:
		return LevelVerdict
	case Message, Warnings, Object:
		return LevelObject
	}
	return LevelCalls
}

// Item is one difference between two results.
type Item struct {
	Field Field `json:"field"`
	// Subject is the subject of the field: a webhook as "CONFIGURATION/WEBHOOK", a policy
	// as "POLICY/BINDING", a path of the object, or the key of an annotation.
	Subject string `json:"subject,omitempty"`
	// Phase is that of a call or a policy, and Round 1 for a reinvocation.
	Phase string `json:"phase,omitempty"`
	Round int    `json:"round,omitempty"`
	// Before and After are the values, cut if they are long; empty where there is none.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// ReasonBefore and ReasonAfter are the reasons why a webhook was not called, or a
	// policy not evaluated.
	ReasonBefore string `json:"reasonBefore,omitempty"`
	ReasonAfter  string `json:"reasonAfter,omitempty"`

	// was and is are Before and After without what differs from request to request.
	was, is string
	// call identifies the webhook or policy, by its name before.
	call call
}

// key identifies what differs.
func (i *Item) key() [4]string {
	return [4]string{string(i.Field), i.Subject, i.Phase, string(rune('0' + i.Round))}
}

// rank orders the levels, the most serious first.
func rank(l Level) int { return slices.Index(Levels, l) }

// levelOf returns the most serious level of items.
func levelOf(items []Item) Level {
	most := LevelCalls
	for i := range items {
		if level := items[i].Field.Level(); rank(level) < rank(most) {
			most = level
		}
	}
	return most
}

// without returns the items that others have not.
func without(items, others []Item) []Item {
	known := map[[4]string]bool{}
	for i := range others {
		known[others[i].key()] = true
	}
	var left []Item
	for _, item := range items {
		if !known[item.key()] {
			left = append(left, item)
		}
	}
	return left
}
