package explain

import (
	"cmp"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The operations of requests.
const (
	opCreate  = "CREATE"
	opUpdate  = "UPDATE"
	opDelete  = "DELETE"
	opConnect = "CONNECT"
)

// namespaceHint describes what the namespace lacks.
func (a *analyzer) namespaceHint(w *Webhook) string {
	selector := w.Spec.NamespaceSelector
	switch {
	case strings.HasSuffix(w.Error, " not found"):
		return fmt.Sprintf("create namespace %s first; a webhook with an empty namespaceSelector does not look for it", printableWord(a.e.Request.Namespace))
	case selector == nil:
		return absentSelectorHint(stageNamespaceSelector)
	}
	if _, err := metav1.LabelSelectorAsSelector(selector); err != nil {
		return invalidSelectorHint(stageNamespaceSelector, err)
	}
	if w.Error != "" {
		return ""
	}
	wrong := unmetRequirements(stageNamespaceSelector, selector, w.Match.NamespaceLabels)
	if len(wrong) == 0 {
		return ""
	}
	return a.namespaceSubject() + strings.Join(wrong, ", and ")
}

// namespaceSubject names the namespace whose labels count: those that a request
// writes, or the stored ones (S-092, S-093).
func (a *analyzer) namespaceSubject() string {
	q := &a.e.Request
	query, name := q.ruleQuery(q.Resource), printableWord(q.Namespace)
	switch {
	case q.Resource.Resource != "namespaces":
		return "namespace " + name + " "
	case query.WritesNamespace():
		return "for a request that writes a namespace, its new labels count: " + printableWord(
			cmp.Or(q.Name, q.Namespace)) + " "
	}
	return "namespace " + name + ", as it is stored, "
}

// resourceName returns the resource with its subresource, as rules write it.
func (q *Request) resourceName() string {
	if q.Subresource == "" {
		return printableWord(q.Resource.Resource)
	}
	return printableWord(q.Resource.Resource) + "/" + printableWord(q.Subresource)
}
