package webhooktest

import (
	"encoding/json"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/requests"
)

// Request is a request to make. Methods return a modified copy. Endpoint and
// name default to those of the object, the namespace to "default", and the user
// to "gatehouse".
type Request struct {
	// at is the position of the constructor's call.
	at      string
	file    string
	request requestfile.AdmissionRequest
	// object, old and patch become parts of the request.
	object, old, patch any
	// changed are the methods that were called.
	changed  []string
	problems []error
}

// Create is a request to create an object.
func Create(object any) Request {
	return Request{at: caller(), request: operation(admissionv1.Create), object: object}
}

// Update is a request to replace a stored object.
func Update(old, object any) Request {
	return Request{at: caller(), request: operation(admissionv1.Update), old: old, object: object}
}

// Patch is a request to change a stored object by a JSON patch, a merge patch
// or a strategic merge patch, given as YAML or JSON, or as a Go value.
func Patch(old any, t types.PatchType, patch any) Request {
	r := Request{at: caller(), request: operation(admissionv1.Update), old: old, patch: patch}
	r.request.Patch = &requestfile.Patch{}
	switch t {
	case types.JSONPatchType:
		r.request.Patch.Type = requestfile.JSON
	case types.MergePatchType:
		r.request.Patch.Type = requestfile.Merge
	case types.StrategicMergePatchType:
		r.request.Patch.Type = requestfile.Strategic
	default:
		r.problem("the patch has the type %q: use Apply for server-side apply", t)
	}
	return r
}

// Apply is a server-side apply. old is the stored object, or nil if there is
// none. fields are an object, a text, or an apply configuration; FieldManager
// sets the manager.
func Apply(old, fields any) Request {
	verb := admissionv1.Create
	if old != nil {
		verb = admissionv1.Update
	}
	r := Request{at: caller(), request: operation(verb), old: old, patch: fields}
	r.request.Patch = &requestfile.Patch{Type: requestfile.Apply}
	return r
}

// Delete is a request to delete a stored object.
func Delete(old any) Request {
	return Request{at: caller(), request: operation(admissionv1.Delete), old: old}
}

// DeleteCollection deletes a stored object as part of a collection: webhooks
// see no name.
func DeleteCollection(old any) Request {
	r := Request{at: caller(), request: operation(admissionv1.Delete), old: old}
	r.request.Collection = true
	return r
}

// Connect is a request to connect to an object, which needs a name (Named).
// options are those of the connection, such as a PodExecOptions.
func Connect(options any) Request {
	return Request{at: caller(), request: operation(admissionv1.Connect), object: options}
}

// FromFile is a request in a file: an AdmissionRequest, a recorded
// AdmissionReview, or an object to create. Its methods must not be called.
func FromFile(path string) Request { return Request{at: caller(), file: path} }

func operation(o admissionv1.Operation) requestfile.AdmissionRequest {
	return requestfile.AdmissionRequest{Operation: o}
}

// with returns the request with a change by a method, whose name it records.
func (r Request) with(method string, change func(*requestfile.AdmissionRequest)) Request {
	r.changed = append(slices.Clip(r.changed), method)
	change(&r.request)
	return r
}

// problem records a mistake until the case runs.
func (r *Request) problem(format string, args ...any) {
	r.problems = append(slices.Clip(r.problems), fmt.Errorf(format, args...))
}

// As sets the user. As with kubectl --as, a service account without groups gets
// its own, and the group system:authenticated is added.
func (r Request) As(user string, groups ...string) Request {
	return r.with(
		"As", func(q *requestfile.AdmissionRequest) { q.UserInfo = requests.UserFor(user, "", groups) })
}

// AsUser sets the user without adding groups.
func (r Request) AsUser(user authenticationv1.UserInfo) Request {
	return r.with("AsUser", func(q *requestfile.AdmissionRequest) { q.UserInfo = user.DeepCopy() })
}

// In sets the namespace for objects without one.
func (r Request) In(namespace string) Request {
	return r.with("In", func(q *requestfile.AdmissionRequest) { q.Namespace = namespace })
}

// Named sets the name for objects without one.
func (r Request) Named(name string) Request {
	return r.with("Named", func(q *requestfile.AdmissionRequest) { q.Name = name })
}

// Resource sets the resource, such as "deployments.apps", if the kind of the
// object does not determine it.
func (r Request) Resource(resource string) Request {
	return r.with("Resource", func(q *requestfile.AdmissionRequest) { q.Resource = resource })
}

// Subresource sets the subresource, such as "status".
func (r Request) Subresource(subresource string) Request {
	return r.with("Subresource", func(q *requestfile.AdmissionRequest) { q.SubResource = subresource })
}

// DryRun makes it a dry run.
func (r Request) DryRun() Request {
	return r.with("DryRun", func(q *requestfile.AdmissionRequest) { q.DryRun = true })
}

// FieldManager sets the manager of written fields.
func (r Request) FieldManager(manager string) Request {
	return r.with(
		"FieldManager", func(q *requestfile.AdmissionRequest) { q.Options.FieldManager = manager })
}

// FieldValidation is Ignore, Warn or Strict.
func (r Request) FieldValidation(validation string) Request {
	return r.with("FieldValidation",
		func(q *requestfile.AdmissionRequest) { q.Options.FieldValidation = validation })
}

// Force takes over fields of other managers; for Apply only.
func (r Request) Force() Request {
	if r.request.Patch == nil || r.request.Patch.Type != requestfile.Apply {
		r.problem("Force is for Apply")
		return r
	}
	return r.with("Force", func(q *requestfile.AdmissionRequest) {
		q.Patch = &requestfile.Patch{Type: requestfile.Apply, Force: true}
	})
}

// DeleteOptions sets GracePeriodSeconds, PropagationPolicy and Preconditions;
// other fields must not be set.
func (r Request) DeleteOptions(o metav1.DeleteOptions) Request {
	o = *o.DeepCopy()
	r = r.with("DeleteOptions", func(q *requestfile.AdmissionRequest) {
		q.Options.GracePeriodSeconds, q.Options.PropagationPolicy, q.Options.Preconditions =
			o.GracePeriodSeconds, o.PropagationPolicy, o.Preconditions
	})
	o.GracePeriodSeconds, o.PropagationPolicy, o.Preconditions = nil, nil, nil
	if rest, err := json.Marshal(o); err != nil || string(rest) != "{}" {
		r.problem("DeleteOptions: not supported: %s", rest)
	}
	return r
}
