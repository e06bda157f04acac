package validate

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// result is the one document that `gatehouse validate -o json` prints.
type result struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind ValidateResult.
	metav1.TypeMeta `json:",inline"`
	// Items has one entry per webhook configuration, in the order of the inputs.
	// What could not be read is on standard error only.
	Items []item `json:"items"`
}

// item is what an API server would say about one configuration.
type item struct {
	// File is the path as it was given, or "standard input".
	File string `json:"file"`
	// Document counts the documents of the file that are not empty, from 1.
	Document int `json:"document"`
	// Line is where the configuration starts, from 1.
	Line int `json:"line"`
	// Item is where in a List it is, for example "items[3]"; absent if it stands
	// alone.
	Item string `json:"item,omitempty"`
	// APIVersion and Kind are as written.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Name is metadata.name, or metadata.generateName if there is no name. It is
	// absent if there is neither, or the document cannot be decoded.
	Name string `json:"name,omitempty"`

	// Valid reports whether the configuration would be created.
	Valid bool `json:"valid"`
	// Message is what kubectl would print if it would not; absent if Valid.
	Message string `json:"message,omitempty"`
	// Errors are what the message consists of, in its order.
	Errors []refusal `json:"errors"`
	// Warnings are what kubectl would print after "Warning: ", in its order.
	Warnings []string `json:"warnings"`
}

// refusal is one reason why a configuration would not be created.
type refusal struct {
	// Line is where the field is, or else the innermost object around it.
	Line int `json:"line"`
	// Type is the cause in the Status that an API server returns, such as
	// FieldValueInvalid, or its reason: BadRequest for what cannot be decoded,
	// AlreadyExists for a name that an earlier configuration has.
	Type string `json:"type"`
	// Field is for example "webhooks[0].timeoutSeconds"; absent if it is not
	// known.
	Field string `json:"field,omitempty"`
	// Detail and BadValue are the parts of the message, where it has them.
	Detail   string `json:"detail,omitempty"`
	BadValue any    `json:"badValue,omitempty"`
	// Message is the whole of it, the field included.
	Message string `json:"message"`
}
