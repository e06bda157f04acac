package sarif

// Run is what one run of a tool found.
type Run struct {
	// Tool is what was run. Required.
	Tool Tool `json:"tool"`
	// Invocations say how that went.
	Invocations []Invocation `json:"invocations,omitempty"`
	// Results are what was found. It must not be nil if the tool came to look.
	Results []Result `json:"results"`
}

// Tool is a tool.
type Tool struct {
	// Driver is the tool itself. Required.
	Driver Component `json:"driver"`
}

// Component is a part of a tool.
type Component struct {
	// Name is what the tool is called. Required.
	Name string `json:"name"`
	// Rules are what results are about.
	Rules []Rule `json:"rules,omitempty"`
}

// Rule is what a result is about.
type Rule struct {
	// ID never changes. Required.
	ID string `json:"id"`
	// Short and Full say what the rule is, Help what to do about it.
	Short *Text `json:"shortDescription,omitempty"`
	Full  *Text `json:"fullDescription,omitempty"`
	Help  *Text `json:"help,omitempty"`
	// Default is how results are taken that do not say it.
	Default *Default `json:"defaultConfiguration,omitempty"`
}

// Default is how a rule is configured.
type Default struct {
	// Level is that of Result.
	Level Level `json:"level"`
}

// Level says how bad a result is.
type Level string

const (
	// Error is a serious problem.
	Error Level = "error"
	// Warning is a problem.
	Warning Level = "warning"
)

// Text is a message. It is plain text, without markup.
type Text struct {
	// Text is the message. Required.
	Text string `json:"text"`
}

// Invocation is one execution of a tool.
type Invocation struct {
	// Successful says that the tool could do what it had to, whatever it found.
	Successful bool `json:"executionSuccessful"`
	// Notifications say what it could not do.
	Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
}

// Notification is something about the tool's own work.
type Notification struct {
	// Level is as in a Result.
	Level Level `json:"level"`
	// Message says what it is. Required.
	Message Text `json:"message"`
	// Locations are what it is about.
	Locations []Location `json:"locations,omitempty"`
}

// Result is one thing that was found.
type Result struct {
	// RuleID and RuleIndex name the rule, by its ID and its place in Component.Rules.
	RuleID    string `json:"ruleId"`
	RuleIndex int    `json:"ruleIndex"`
	// Level says how bad it is.
	Level Level `json:"level"`
	// Message says what was found. Required.
	Message Text `json:"message"`
	// Locations are where it is to be mended.
	Locations []Location `json:"locations,omitempty"`
}

// Location is a place, in a file or otherwise.
type Location struct {
	// Physical is a place in a file; nil if there is none.
	Physical *Physical `json:"physicalLocation,omitempty"`
	// Logical are names of the place.
	Logical []Logical `json:"logicalLocations,omitempty"`
}

// Physical is a place in a file.
type Physical struct {
	// Artifact is the file. Required.
	Artifact Artifact `json:"artifactLocation"`
	// Region is the part of the file; nil for all of it.
	Region *Region `json:"region,omitempty"`
}

// Artifact is a file.
type Artifact struct {
	// URI is where it is, relative to where the tool was run unless it is absolute.
	URI string `json:"uri"`
}

// Region is a part of a file.
type Region struct {
	// StartLine is the first line, from 1 on.
	StartLine int `json:"startLine"`
}

// Logical is something that has a name, and no file.
type Logical struct {
	// FullyQualifiedName is the name.
	FullyQualifiedName string `json:"fullyQualifiedName"`
	// Kind says what it is.
	Kind string `json:"kind,omitempty"`
}
