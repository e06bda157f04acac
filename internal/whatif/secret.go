package whatif

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// hideSecret removes the values of differences if the request is about a Secret: also
// messages and annotations may have data of it.
func hideSecret(review json.RawMessage, items []Item) {
	var asked struct {
		Request struct {
			Resource metav1.GroupVersionResource `json:"resource"`
		} `json:"request"`
	}
	if json.Unmarshal(review, &asked) != nil || asked.Request.Resource.Group != "" ||
		asked.Request.Resource.Resource != "secrets" {
		return
	}
	for i := range items {
		item := &items[i]
		if item.Before != "" { // else it is a stage of matching
			item.Before = item.was
		}
		if item.After != "" {
			item.After = item.is
		}
	}
}
