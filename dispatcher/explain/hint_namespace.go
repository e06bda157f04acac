package explain

import (
	"fmt"
	"strings"
)

// The operations of requests.
const (
	create  = "CREATE"
	update  = "UPDATE"
	deleted = "DELETE"
	connect = "CONNECT"
)

// namespaceHint says what the namespace would have to be like.
func (a *advisor) namespaceHint(w *Webhook) string {
	selector := w.Spec.NamespaceSelector
	switch {
	case strings.HasSuffix(w.Error, " not found"):
		return fmt.Sprintf("create namespace %s first; a webhook with an empty namespaceSelector does not look for it", inWords(a.e.Request.Namespace))
	case selector == nil:
		return absentSelector(stageNamespaceSelector)
	}
	if _, err := parsed(selector); err != nil {
		return brokenSelector(stageNamespaceSelector, err)
	}
	if w.Error != "" {
		return ""
	}
	wrong := misses(stageNamespaceSelector, selector, w.Match.NamespaceLabels)
	if len(wrong) == 0 {
		return ""
	}
	return a.namespaceSubject() + strings.Join(wrong, ", and ")
}

// namespaceSubject says whose labels counted. A namespace that is written counts with
// the labels that it is to have, one that is deleted with those that it has.
//
// Compat: S-092, S-093: resources named namespaces of any group are taken for one.
func (a *advisor) namespaceSubject() string {
	q := &a.e.Request
	name := inWords(q.Namespace)
	switch {
	case q.Resource.Resource != "namespaces":
		return "namespace " + name + " "
	case q.Subresource == "" && (q.Operation == create || q.Operation == update):
		return "a namespace that is written counts with its own new labels, and " + inWords(q.name()) + " "
	}
	return "namespace " + name + ", as it is stored, "
}

// name is what the request's object is called, as far as that is known.
func (q *Request) name() string {
	if q.Name == "" {
		return q.Namespace
	}
	return q.Name
}

// what is the resource with its subresource, as rules write it.
func (q *Request) what() string {
	if q.Subresource == "" {
		return inWords(q.Resource.Resource)
	}
	return inWords(q.Resource.Resource) + "/" + inWords(q.Subresource)
}
