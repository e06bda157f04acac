package record

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/auditlog/rawjson"
)

// draft makes the request of an event.
type draft struct {
	event   *auditlog.Event
	objects *history.Objects
	stored  *stored
	// assumed is true if the old object is the last answer for the object, and nothing in
	// the request confirms it.
	assumed bool
	request *admission.Request
}

// connections are the subresources that are no objects.
var connections = sets.New("exec", "attach", "portforward", "proxy")

// response returns the request with its verdict and the answers of webhooks, or why that
// cannot be known.
func (d *draft) response() (*admission.Response, Reason) {
	e := d.event
	kind := auditlog.KindOf(e.RequestObject)
	for _, reason := range []Reason{d.unusable(kind.Kind), undecided(e), unlogged(e)} {
		if reason != "" {
			return nil, reason
		}
	}
	d.request = &admission.Request{
		Kind: kind,
		Resource: schema.GroupVersionResource{
			Group: e.Ref.APIGroup, Version: e.Ref.APIVersion, Resource: e.Ref.Resource},
		Subresource: e.Ref.Subresource, Name: e.Ref.Name, Namespace: e.Ref.Namespace,
		DryRun: e.DryRun(), User: userOf(e),
	}
	if isNamespace(e) {
		d.request.Namespace = e.Ref.Name
	}
	reason := d.addObjects()
	if reason != "" {
		return nil, reason
	}
	if d.request.Options, reason = options(e, d.request.Operation); reason != "" {
		return nil, reason
	}
	return &admission.Response{
		Request: d.request, Began: e.Received, Allowed: !e.Failed(), Status: status(e),
		AuditAnnotations: annotations(e), Calls: calls(e),
		Object: d.request.Object, NamespaceLabels: d.stored.labels(d.request.Namespace),
	}, ""
}

// unusable returns why no event of this sort can be recorded; empty if it can.
func (d *draft) unusable(kind string) Reason {
	e := d.event
	switch {
	case !e.Mutates(), connections.Has(e.Ref.Subresource):
		return Connection
	case e.Verb == "deletecollection":
		return Collection
	case isConfidential(e, kind):
		return Confidential
	case e.User.Name == "":
		return Invalid
	}
	return ""
}

// isConfidential reports whether an event is about a Secret or a token.
func isConfidential(e *auditlog.Event, kind string) bool {
	return e.IsConfidential() || kind == "Secret"
}

func userOf(e *auditlog.Event) *authenticationv1.UserInfo {
	u := &authenticationv1.UserInfo{Username: e.User.Name, UID: e.User.UID, Groups: e.User.Groups}
	_ = json.Unmarshal(e.User.Extra, &u.Extra) // what is no such map is not known
	return u
}

// addObjects sets the operation and the objects.
func (d *draft) addObjects() Reason {
	e := d.event
	switch e.Verb {
	case "delete":
		return d.addDeletion()
	case "create":
		return d.addCreation()
	}
	if e.Code == http.StatusCreated && (e.Verb == "update" || e.Applies()) {
		return d.addCreation() // S-361, S-362
	}
	return d.addUpdate()
}

func (d *draft) addCreation() (reason Reason) {
	e := d.event
	d.request.Operation = admissionv1.Create
	object := e.RequestObject
	if e.Applies() { // the log has a patch as it was sent, and other bodies with defaults
		var builtIn bool
		if object, builtIn = d.objects.Defaulted(object); !builtIn {
			return Defaults
		}
	}
	if d.request.Object, reason = d.sent(object); reason != "" {
		return reason
	}
	return d.confirm(object, nil)
}

// sent returns an object of the request, in the request's namespace.
func (d *draft) sent(text json.RawMessage) (runtime.Object, Reason) {
	if len(text) == 0 {
		return nil, NoBody
	}
	object := &unstructured.Unstructured{}
	if object.UnmarshalJSON(text) != nil {
		return nil, Invalid
	}
	if d.event.Verb == "patch" {
		withoutEmpty(object.Object)
	}
	// Servers do so before admission.
	if object.GetNamespace() == "" && !isNamespace(d.event) {
		object.SetNamespace(d.request.Namespace)
	}
	return object, ""
}

// old returns the stored object of the request.
func (d *draft) old() (json.RawMessage, Reason) {
	e := d.event
	old := d.stored.get(keyOf(e))
	kind := auditlog.KindOf(old)
	version := schema.GroupVersion{Group: e.Ref.APIGroup, Version: e.Ref.APIVersion}
	switch {
	case old == nil:
		return nil, NoOldObject
	case kind.GroupVersion() != version:
		return nil, Version
	case e.Verb == "update" && d.request.Kind != kind,
		e.Verb == "patch" && e.Ref.Subresource == "scale":
		return nil, Subresource
	}
	d.request.Kind = kind
	return old, ""
}

// addOld sets the old object. The body of the request may have, at the keys, the version that
// it was made for.
func (d *draft) addOld(old json.RawMessage, keys ...string) Reason {
	object := &unstructured.Unstructured{}
	if object.UnmarshalJSON(old) != nil {
		return Invalid
	}
	d.request.OldObject = object
	switch rawjson.Text(rawjson.Lookup(d.event.RequestObject, keys...)) {
	case "":
		d.assumed = true
	case object.GetResourceVersion():
	default:
		return OtherWrite
	}
	return ""
}

func (d *draft) addDeletion() Reason {
	d.request.Operation = admissionv1.Delete
	if d.event.Ref.Subresource != "" {
		return Subresource
	}
	old, reason := d.old()
	if reason != "" {
		return reason
	}
	answer := d.event.ResponseObject
	for _, uid := range [][]byte{
		rawjson.Lookup(answer, "details", "uid"), rawjson.Lookup(answer, "metadata", "uid"),
	} {
		if uid != nil && rawjson.Text(uid) != rawjson.Text(rawjson.Lookup(old, "metadata", "uid")) {
			return OtherWrite
		}
	}
	return d.addOld(old, "preconditions", "resourceVersion")
}

func (d *draft) addUpdate() Reason {
	e := d.event
	d.request.Operation = admissionv1.Update
	if len(e.RequestObject) == 0 {
		return NoBody
	}
	old, reason := d.old()
	if reason != "" {
		return reason
	}
	reason = d.addOld(old, "metadata", "resourceVersion")
	if reason != "" {
		return reason
	}
	object := e.RequestObject
	if e.Verb == "patch" {
		object, reason = d.patched(old)
	} else {
		reason = d.confirm(object, old)
	}
	if reason != "" {
		return reason
	}
	d.request.Object, reason = d.sent(object)
	return reason
}

// patched returns the stored object after a patch.
func (d *draft) patched(old json.RawMessage) (json.RawMessage, Reason) {
	all, err := d.objects.Patched(d.event, old)
	if err != nil {
		return nil, PatchResult
	}
	reason := PatchType
	var found json.RawMessage
	for _, object := range all {
		switch why := d.confirm(object, old); {
		case why != "":
			reason = why
		case found == nil:
			found = object
		case string(found) != string(object):
			return nil, PatchType
		}
	}
	if found == nil {
		return nil, reason
	}
	return found, ""
}

// options returns the options of a request (S-216): those in the query, or in the body of a
// deletion.
func options(e *auditlog.Event, operation admissionv1.Operation) (runtime.Object, Reason) {
	q := query(e)
	of := func(kind string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: metav1.SchemeGroupVersion.String(), Kind: kind}
	}
	switch operation {
	case admissionv1.Create:
		return &metav1.CreateOptions{TypeMeta: of("CreateOptions"), DryRun: q["dryRun"],
			FieldManager: q.Get("fieldManager"), FieldValidation: q.Get("fieldValidation")}, ""
	case admissionv1.Update:
		return &metav1.UpdateOptions{TypeMeta: of("UpdateOptions"), DryRun: q["dryRun"],
			FieldManager: q.Get("fieldManager"), FieldValidation: q.Get("fieldValidation")}, ""
	}
	o := &metav1.DeleteOptions{}
	if e.RequestObject != nil {
		if json.Unmarshal(e.RequestObject, o) != nil {
			return nil, Invalid
		}
	} else if metav1.Convert_url_Values_To_v1_DeleteOptions(&q, o, nil) != nil {
		return nil, Invalid
	}
	o.TypeMeta = of("DeleteOptions")
	return o, ""
}

// query returns the parameters of a request.
func query(e *auditlog.Event) url.Values {
	_, text, _ := strings.Cut(e.URI, "?")
	q, err := url.ParseQuery(text)
	if err != nil {
		return nil
	}
	return q
}
