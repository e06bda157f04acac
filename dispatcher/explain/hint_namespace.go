package explain

import (
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

// namespaceSubject names the namespace whose labels count. For a namespace that is
// created or updated its new labels count, for one that is deleted its stored labels.
//
// Compat: S-092, S-093: resources named namespaces of any group count as namespaces.
func (a *analyzer) namespaceSubject() string {
	q := &a.e.Request
	name := printableWord(q.Namespace)
	switch {
	case q.Resource.Resource != "namespaces":
		return "namespace " + name + " "
	case q.Subresource == "" && (q.Operation == opCreate || q.Operation == opUpdate):
		return "a namespace that is written counts with its own new labels, and " + printableWord(q.objectName()) + " "
	}
	return "namespace " + name + ", as it is stored, "
}

// objectName returns the name of the request's object, as far as it is known.
func (q *Request) objectName() string {
	if q.Name == "" {
		return q.Namespace
	}
	return q.Name
}

// resourceName returns the resource with its subresource, as rules write it.
func (q *Request) resourceName() string {
	if q.Subresource == "" {
		return printableWord(q.Resource.Resource)
	}
	return printableWord(q.Resource.Resource) + "/" + printableWord(q.Subresource)
}
