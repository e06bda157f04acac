package validate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/manifest"
)

// result is the document that `gatehouse validate -o json` prints.
type result struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind ValidateResult.
	metav1.TypeMeta `json:",inline"`
	// Items has one entry per webhook configuration, policy or binding, in the order of the
	// inputs. Unreadable input is reported on standard error only.
	Items []*item `json:"items"`
}

// item is the result of one object: what a client would print that
// creates it.
type item struct {
	document *manifest.Document
	// object is what would be created; nil if it is not valid.
	object object

	// File is the path as given, or "standard input".
	File string `json:"file"`
	// Document counts the documents of the file that are not empty, from 1.
	Document int `json:"document"`
	// Line is where the object starts, from 1.
	Line int `json:"line"`
	// Item is the position in a List, for example "items[3]"; absent outside of
	// a List.
	Item string `json:"item,omitempty"`
	// APIVersion and Kind are as written.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Name is metadata.name, or metadata.generateName if there is no name. It
	// is absent if there is neither, or the document cannot be decoded.
	Name string `json:"name,omitempty"`
	// Valid reports whether the object would be created.
	Valid bool `json:"valid"`
	// Message is the error that kubectl would print; absent if Valid.
	Message string `json:"message,omitempty"`
	// Errors are the parts of the message, in its order.
	Errors []refusal `json:"errors"`
	// Warnings are what kubectl would print after "Warning: ", in its order, and
	// those of type checking.
	Warnings []string `json:"warnings"`

	// warningPositions are the positions of Warnings, as text.
	warningPositions []string
}

// refusal is one reason why a configuration is invalid.
type refusal struct {
	// position is that of Line, as text.
	position string

	// Line is the line of the field, or of the innermost object around it.
	Line int `json:"line"`
	// Type is the cause in the Status that an API server returns, such as
	// FieldValueInvalid, or its reason: BadRequest for a decoding error,
	// AlreadyExists for a duplicate name.
	Type string `json:"type"`
	// Field is for example "webhooks[0].timeoutSeconds"; absent if it is
	// unknown.
	Field string `json:"field,omitempty"`
	// Detail and BadValue are parts of the message, if it has them.
	Detail   string `json:"detail,omitempty"`
	BadValue any    `json:"badValue,omitempty"`
	// Message is the whole message, including the field.
	Message string `json:"message"`
}

func newItem(d *manifest.Document) *item {
	return &item{
		document: d, File: d.File, Document: d.Number, Line: d.Line, Item: d.Item,
		APIVersion: d.Kind.GroupVersion().String(), Kind: d.Kind.Kind, Valid: true,
		Errors: []refusal{}, Warnings: []string{},
	}
}

// refuse records an error, with its message in kubectl's words.
func (i *item) refuse(message string, errors ...refusal) {
	i.Valid, i.Message = false, message
	for _, e := range errors {
		e.Line = i.document.At(e.Field).Line
		e.position = i.positionOf(e.Field)
		i.Errors = append(i.Errors, e)
	}
}

func (i *item) warn(field, text string) {
	i.Warnings = append(i.Warnings, text)
	i.warningPositions = append(i.warningPositions, i.positionOf(field))
}

// positionOf returns the position of a field, or of the document if field is
// empty, such as "a.yaml: document 2 (line 14): webhooks[0].name".
func (i *item) positionOf(field string) string {
	at := i.document.Position.String()
	if field != "" {
		at = i.document.At(field).String()
	}
	for _, more := range []string{i.Item, field} {
		if more != "" {
			at += ": " + more
		}
	}
	return at
}
