package model

// Kinds are kinds of requests, and of what happened to them: a set.
type Kinds uint32

// The kinds that a run has to meet.
const (
	Updates Kinds = 1 << iota
	Deletions
	Connections
	DryRuns
	RefusedDryRuns
	Reinvoked
	OtherVersions
	Converted
	ConditionTrue
	ConditionFalse
	ConditionFailedClosed
	ConditionFailedOpen
	NamespaceSelected
	NamespaceNotSelected
	ObjectSelected
	OldObjectSelected
	PolicyMutated
	PolicyDenied
	end
)

var kindNames = map[Kinds]string{
	Updates: "UPDATE", Deletions: "DELETE", Connections: "CONNECT",
	DryRuns: "dry run", RefusedDryRuns: "dry run refused",
	Reinvoked: "webhook called again", OtherVersions: "other version", Converted: "converted",
	ConditionTrue: "condition true", ConditionFalse: "condition false",
	ConditionFailedClosed: "condition failed closed", ConditionFailedOpen: "condition failed open",
	NamespaceSelected: "namespace selected", NamespaceNotSelected: "namespace not selected",
	ObjectSelected: "object selected", OldObjectSelected: "old object selected",
	PolicyMutated: "changed by a policy", PolicyDenied: "denied by a policy",
}

// EachKind calls a function for every kind, with its name.
func EachKind(call func(Kinds, string)) {
	for k := Kinds(1); k < end; k <<= 1 {
		call(k, kindNames[k])
	}
}
