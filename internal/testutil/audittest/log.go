package audittest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
)

// Log is an audit log. Its events are of the Deployment shop/web at the level
// RequestResponse, five seconds apart, unless an Edit says otherwise.
type Log struct {
	lines []string
	// Step is the time between two events. The default is five seconds.
	Step time.Duration
	at   time.Duration
}

// Edit changes an event.
type Edit func(*auditv1.Event)

// start is the time of the first event.
var start = time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)

// Add adds an event by a user. The body and the answer are JSON; the answer is the body if it
// is empty.
func (l *Log) Add(verb, user, body string, edits ...Edit) {
	if l.Step == 0 {
		l.Step = 5 * time.Second
	}
	at := metav1.NewMicroTime(start.Add(l.at))
	l.at += l.Step
	e := &auditv1.Event{
		TypeMeta:   metav1.TypeMeta{APIVersion: "audit.k8s.io/v1", Kind: "Event"},
		Level:      auditv1.LevelRequestResponse,
		AuditID:    types.UID(fmt.Sprintf("id-%d", len(l.lines)+1)),
		Stage:      auditv1.StageResponseComplete,
		RequestURI: "/apis/apps/v1/namespaces/shop/deployments/web",
		Verb:       verb,
		UserAgent:  "manager/v1 (linux/amd64)",
		ObjectRef: &auditv1.ObjectReference{Resource: "deployments", Namespace: "shop",
			Name: "web", APIGroup: "apps", APIVersion: "v1"},
		ResponseStatus:           &metav1.Status{Code: 200},
		RequestReceivedTimestamp: at, StageTimestamp: at,
		Annotations: map[string]string{"authorization.k8s.io/decision": "allow"},
	}
	e.User.Username = user
	if body != "" {
		e.RequestObject = &runtime.Unknown{Raw: []byte(body), ContentType: runtime.ContentTypeJSON}
		e.ResponseObject = e.RequestObject
	}
	for _, edit := range edits {
		edit(e)
	}
	line, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	l.lines = append(l.lines, string(line))
}

// Lines returns the events, one per line.
func (l *Log) Lines() []string { return l.lines }

// Text returns the log.
func (l *Log) Text() string { return strings.Join(l.lines, "\n") + "\n" }

// Called is a call of a mutating webhook in round 0. The configuration has its name. It
// changed the object if there is a patch.
func Called(index int, webhook, patch string) Edit { return CalledIn(0, index, webhook, patch) }

// CalledIn is Called in any round.
func CalledIn(round, index int, webhook, patch string) Edit {
	return func(e *auditv1.Event) {
		at := fmt.Sprintf("round_%d_index_%d", round, index)
		e.Annotations["mutation.webhook.admission.k8s.io/"+at] = fmt.Sprintf(
			`{"configuration":%q,"webhook":%q,"mutated":%t}`, webhook, webhook, patch != "")
		if patch != "" {
			e.Annotations["patch.webhook.admission.k8s.io/"+at] = fmt.Sprintf(
				`{"configuration":%q,"webhook":%q,"patch":%s,"patchType":"JSONPatch"}`,
				webhook, webhook, patch)
		}
	}
}

// Answer sets what was stored.
func Answer(object string) Edit {
	return func(e *auditv1.Event) {
		e.ResponseObject = &runtime.Unknown{Raw: []byte(object), ContentType: runtime.ContentTypeJSON}
	}
}

// Of sets the object.
func Of(group, resource, namespace, name string) Edit {
	return func(e *auditv1.Event) {
		e.ObjectRef = &auditv1.ObjectReference{APIGroup: group, APIVersion: "v1",
			Resource: resource, Namespace: namespace, Name: name}
	}
}

// Subresource sets the subresource.
func Subresource(name string) Edit {
	return func(e *auditv1.Event) { e.ObjectRef.Subresource = name }
}

// Query sets the parameters of the request.
func Query(query string) Edit {
	return func(e *auditv1.Event) { e.RequestURI += "?" + query }
}

// Annotated adds an annotation.
func Annotated(key, value string) Edit {
	return func(e *auditv1.Event) { e.Annotations[key] = value }
}

// Refused makes the request fail.
func Refused(code int32, message string) Edit {
	return func(e *auditv1.Event) {
		e.ResponseStatus = &metav1.Status{Code: code, Status: metav1.StatusFailure, Message: message}
		e.ResponseObject = nil
	}
}

// AtMetadata takes what the level Metadata does not have.
func AtMetadata() Edit {
	return func(e *auditv1.Event) {
		e.Level, e.RequestObject, e.ResponseObject = auditv1.LevelMetadata, nil, nil
		for key := range e.Annotations {
			if strings.HasPrefix(key, "patch.") {
				delete(e.Annotations, key)
			}
		}
	}
}
