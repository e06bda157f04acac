package auditlog

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/internal/auditlog/rawjson"
)

// Event is a request that may have changed something, or that webhooks received.
type Event struct {
	// File and Line are the position of the start of the event.
	File string
	Line int
	// Size is the size of the event in the log, in bytes: about what it takes in memory.
	Size int
	// Time is the event's stageTimestamp, and Received its requestReceivedTimestamp.
	Time, Received time.Time

	Level   auditv1.Level
	AuditID string
	Verb    string
	// URI is the request's path and query.
	URI string
	// User is the user that the request was made as: the impersonated one, if any.
	User      User
	UserAgent string
	Ref       auditv1.ObjectReference
	// Code and Message are those of the response. Message is empty unless it failed.
	Code    int
	Message string

	// Calls are the calls of webhooks that left an annotation, in the order of phases,
	// rounds and indexes.
	Calls []Call
	// Failures are the failed validations of policies whose action is Audit.
	Failures []Failure
	// Owned are the annotations of webhooks and policies themselves.
	Owned []Owned
	// Truncated is true if the log backend dropped the bodies, because the event was
	// too large.
	Truncated bool
	// MutatingLatency and ValidatingLatency are the times that the phases took. The
	// server writes them for slow requests only; otherwise they are 0.
	MutatingLatency, ValidatingLatency time.Duration

	// RequestObject and ResponseObject are the bodies; nil if the log does not have them.
	// Their brackets and quotes close; the rest of their JSON may be broken.
	RequestObject, ResponseObject json.RawMessage
	// Annotations are all annotations, as a JSON object; nil if there are none.
	Annotations json.RawMessage
}

// User is a user with its groups.
type User struct {
	Name   string
	Groups []string
	UID    string
	// Extra is a JSON object with lists of strings; nil if there is none.
	Extra json.RawMessage
}

// Failed reports whether the request failed, so that nothing was stored.
func (e *Event) Failed() bool { return e.Code >= 400 }

// Position returns the position of the start of the event, as FILE:LINE.
func (e *Event) Position() string { return fmt.Sprintf("%s:%d", e.File, e.Line) }

// query returns the parameter of the request; empty if there is none.
func (e *Event) query(key string) string {
	_, query, _ := strings.Cut(e.URI, "?")
	if !strings.Contains(query, key) {
		return ""
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return ""
	}
	return values.Get(key)
}

// DryRun reports whether the request is a dry run. The body of a deletion, if it has one,
// replaces the parameters.
func (e *Event) DryRun() bool {
	if e.RequestObject != nil && (e.Verb == "delete" || e.Verb == "deletecollection") {
		return rawjson.Lookup(e.RequestObject, "dryRun", "0") != nil
	}
	return e.query("dryRun") != ""
}

// Forces reports whether an apply overwrites fields of other managers.
func (e *Event) Forces() bool { return e.query("force") == "true" }

// Manager returns the field manager, as the server determines it: the parameter of the
// request, or the name of the client.
func (e *Event) Manager() string {
	if manager := e.query("fieldManager"); manager != "" {
		return manager
	}
	name, _, _ := strings.Cut(e.UserAgent, "/")
	return name
}

// Applies reports whether a patch is a server-side apply. The log does not have the type of
// a patch: only an apply must name its manager and may be forced, and only its body must
// have apiVersion and kind.
func (e *Event) Applies() bool {
	return e.Verb == "patch" && e.query("fieldManager") != "" &&
		len(e.RequestObject) > 0 && e.RequestObject[0] == '{' &&
		KindOf(e.RequestObject).Kind != ""
}

// Name returns the name of the object; empty if the log does not have it. The reference of
// an object whose name the server generated has none.
func (e *Event) Name() string {
	if e.Ref.Name != "" || e.Ref.Subresource != "" {
		return e.Ref.Name
	}
	return metadataName(e.ResponseObject)
}

// Resource returns the resource with its group, and its subresource.
func (e *Event) Resource() string {
	name := e.Ref.Resource
	if e.Ref.APIGroup != "" {
		name += "." + e.Ref.APIGroup
	}
	if e.Ref.Subresource != "" {
		name += "/" + e.Ref.Subresource
	}
	return name
}

// IsSecret reports whether the request is about a Secret.
func (e *Event) IsSecret() bool { return e.Ref.Resource == "secrets" && e.Ref.APIGroup == "" }

// IsConfidential reports whether the request is about a Secret or a token.
func (e *Event) IsConfidential() bool {
	return e.IsSecret() || e.Ref.APIGroup == authenticationv1.GroupName || e.Ref.Subresource == "token"
}

// HasWholeObject reports whether the bodies have the whole object: the request is for no
// subresource, or for one of those that have it.
func (e *Event) HasWholeObject() bool { return whole[e.Ref.Subresource] }

var whole = map[string]bool{"": true, "status": true, "ephemeralcontainers": true, "resize": true}

// Mutates reports whether the request was to change an object.
func (e *Event) Mutates() bool { return mutating[e.Verb] }

var mutating = map[string]bool{
	"create": true, "update": true, "patch": true, "delete": true, "deletecollection": true,
}
