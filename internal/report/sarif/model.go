package sarif

// Run contains the results of one run of a tool.
type Run struct {
	// Tool is required.
	Tool Tool `json:"tool"`
	// Invocations are the executions of the tool.
	Invocations []Invocation `json:"invocations,omitempty"`
	// Results must not be nil unless the tool failed to run.
	Results []Result `json:"results"`
}

// Tool is a tool.
type Tool struct {
	// Driver is the tool itself. Required.
	Driver Component `json:"driver"`
}

// Component is a part of a tool.
type Component struct {
	// Name is required.
	Name string `json:"name"`
	// Rules are the rules of the results.
	Rules []Rule `json:"rules,omitempty"`
}

// Rule is a rule that results violate.
type Rule struct {
	// ID is stable. Required.
	ID string `json:"id"`
	// Short and Full describe the rule, Help the remedy.
	Short *Text `json:"shortDescription,omitempty"`
	Full  *Text `json:"fullDescription,omitempty"`
	Help  *Text `json:"help,omitempty"`
	// Default applies to results without a level.
	Default *Default `json:"defaultConfiguration,omitempty"`
}

// Default is the default configuration of a rule.
type Default struct {
	// Level is the default of Result.Level.
	Level Level `json:"level"`
}

// Level is the severity of a result.
type Level string

const (
	// Error is a serious problem.
	Error Level = "error"
	// Warning is a problem.
	Warning Level = "warning"
	// Note is a remark.
	Note Level = "note"
)

// Text is a message. It is plain text, without markup.
type Text struct {
	// Text is the message. Required.
	Text string `json:"text"`
}

// Invocation is one execution of a tool.
type Invocation struct {
	// Successful reports whether the tool ran, whatever its results.
	Successful bool `json:"executionSuccessful"`
	// Notifications are the problems of the execution.
	Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
}

// Notification is a problem of an execution.
type Notification struct {
	// Level is as in a Result.
	Level Level `json:"level"`
	// Message is required.
	Message Text `json:"message"`
	// Locations are the subjects of the notification.
	Locations []Location `json:"locations,omitempty"`
}

// Result is one finding.
type Result struct {
	// RuleID and RuleIndex are the ID of the rule and its index in
	// Component.Rules.
	RuleID    string `json:"ruleId"`
	RuleIndex int    `json:"ruleIndex"`
	// Level is the severity.
	Level Level `json:"level"`
	// Message is required.
	Message Text `json:"message"`
	// Locations are the positions to fix.
	Locations []Location `json:"locations,omitempty"`
	// Suppressions are why the result does not count; usually there are none.
	Suppressions []Suppression `json:"suppressions,omitempty"`
}

// Suppression is a decision not to act on a result.
type Suppression struct {
	// Kind is where the decision is written down. Required.
	Kind SuppressionKind `json:"kind"`
	// Justification is the reason; may be empty.
	Justification string `json:"justification,omitempty"`
}

// SuppressionKind is a place of decisions.
type SuppressionKind string

const (
	// External is a place other than the source, such as a baseline file.
	External SuppressionKind = "external"
	// InSource is the source itself, such as an annotation.
	InSource SuppressionKind = "inSource"
)

// Location is a position, in a file or otherwise.
type Location struct {
	// Physical is a position in a file; may be nil.
	Physical *Physical `json:"physicalLocation,omitempty"`
	// Logical are names of the location.
	Logical []Logical `json:"logicalLocations,omitempty"`
}

// Physical is a position in a file.
type Physical struct {
	// Artifact is the file. Required.
	Artifact Artifact `json:"artifactLocation"`
	// Region is the part of the file; nil for all of it.
	Region *Region `json:"region,omitempty"`
}

// Artifact is a file.
type Artifact struct {
	// URI is absolute, or relative to the working directory of the tool.
	URI string `json:"uri"`
}

// Region is a part of a file.
type Region struct {
	// StartLine is the first line, counted from 1.
	StartLine int `json:"startLine"`
}

// Logical is a location with a name instead of a file.
type Logical struct {
	// FullyQualifiedName is the name.
	FullyQualifiedName string `json:"fullyQualifiedName"`
	// Kind is the kind of the location.
	Kind string `json:"kind,omitempty"`
}
