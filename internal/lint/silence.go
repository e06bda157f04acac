package lint

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// silencePrefix begins the annotations that silence findings: the rest of the key is
// the ID of the rule, and the value the reason.
const silencePrefix = "lint.gatehouse/"

// silenced returns the reason in the annotations of the finding's object; empty if
// there is none.
func silenced(f *Finding) string {
	if f.Document == nil {
		return ""
	}
	var object metav1.PartialObjectMetadata
	if err := json.Unmarshal(f.Document.JSON, &object); err != nil {
		return "" // the inventory has decoded it
	}
	return strings.TrimSpace(object.Annotations[silencePrefix+f.Rule.ID])
}
