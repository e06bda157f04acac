package webhooktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/offline/requests"
)

// Request is a request to be made. Methods return a copy that says more. What is not said
// follows from the objects: where the request is sent, the name, and the namespace, which is
// "default" for objects that name none. Who asks is the user "gatehouse".
type Request struct {
	// at is where it was made.
	at   string
	file string
	says requestfile.AdmissionRequest
	// object, old and patch become parts of what is said.
	object, old, patch any
	// changed are the methods that were called.
	changed  []string
	problems []error
}

// Create creates an object.
func Create(object any) Request {
	return Request{at: caller(), says: operation(admissionv1.Create), object: object}
}

// Update replaces an object that is stored by a new one.
func Update(old, object any) Request {
	return Request{at: caller(), says: operation(admissionv1.Update), old: old, object: object}
}

// Patch changes an object that is stored by a JSON patch, a merge patch or a strategic merge
// patch. The patch is a text in YAML or JSON, or a Go value.
func Patch(old any, t types.PatchType, patch any) Request {
	r := Request{at: caller(), says: operation(admissionv1.Update), old: old, patch: patch}
	r.says.Patch = &requestfile.Patch{}
	switch t {
	case types.JSONPatchType:
		r.says.Patch.Type = requestfile.JSON
	case types.MergePatchType:
		r.says.Patch.Type = requestfile.Merge
	case types.StrategicMergePatchType:
		r.says.Patch.Type = requestfile.Strategic
	default:
		r.problems = append(r.problems, fmt.Errorf("the patch has the type %q: use Apply for server-side apply", t))
	}
	return r
}

// Apply is server-side apply. old is the object that is stored; without one, nil, the apply
// creates. The fields to own are an object of a type or a text, or an apply configuration,
// and FieldManager says who owns them.
func Apply(old, fields any) Request {
	verb := admissionv1.Create
	if old != nil {
		verb = admissionv1.Update
	}
	r := Request{at: caller(), says: operation(verb), old: old, patch: fields}
	r.says.Patch = &requestfile.Patch{Type: requestfile.Apply}
	return r
}

// Delete deletes an object that is stored.
func Delete(old any) Request {
	return Request{at: caller(), says: operation(admissionv1.Delete), old: old}
}

// DeleteCollection deletes an object that is stored as one of a collection: webhooks see no
// name.
func DeleteCollection(old any) Request {
	r := Request{at: caller(), says: operation(admissionv1.Delete), old: old}
	r.says.Collection = true
	return r
}

// Connect connects to an object, which has to be Named: the options are those of the
// connection, such as a PodExecOptions.
func Connect(options any) Request {
	return Request{at: caller(), says: operation(admissionv1.Connect), object: options}
}

// FromFile is a request in a file: an AdmissionRequest, an AdmissionReview as a server has
// sent it, or an object, which is created. Nothing else can be said about it.
func FromFile(path string) Request { return Request{at: caller(), file: path} }

func operation(o admissionv1.Operation) requestfile.AdmissionRequest {
	return requestfile.AdmissionRequest{Operation: o}
}

// said notes that a method was called.
func (r *Request) said(method string) { r.changed = append(slices.Clip(r.changed), method) }

// As says who asks. As with kubectl --as, a service account without groups gets its own, and
// everybody is in system:authenticated.
func (r Request) As(user string, groups ...string) Request {
	r.said("As")
	r.says.UserInfo = requests.UserFor(user, "", groups)
	return r
}

// AsUser says who asks, and all about it: no group is added.
func (r Request) AsUser(user authenticationv1.UserInfo) Request {
	r.said("AsUser")
	r.says.UserInfo = user.DeepCopy()
	return r
}

// In says in which namespace, for objects that do not.
func (r Request) In(namespace string) Request {
	r.said("In")
	r.says.Namespace = namespace
	return r
}

// Named says the name of the object, for those that do not have it.
func (r Request) Named(name string) Request {
	r.said("Named")
	r.says.Name = name
	return r
}

// Resource says where the request is sent, such as "deployments.apps", where the kind of the
// object is not enough.
func (r Request) Resource(resource string) Request {
	r.said("Resource")
	r.says.Resource = resource
	return r
}

// Subresource says to which subresource the request is sent, such as "status".
func (r Request) Subresource(subresource string) Request {
	r.said("Subresource")
	r.says.SubResource = subresource
	return r
}

// DryRun says that nothing is to be stored.
func (r Request) DryRun() Request {
	r.said("DryRun")
	r.says.DryRun = true
	return r
}

// FieldManager says who owns the fields that are written.
func (r Request) FieldManager(manager string) Request {
	r.said("FieldManager")
	r.says.Options.FieldManager = manager
	return r
}

// FieldValidation asks for Ignore, Warn or Strict.
func (r Request) FieldValidation(validation string) Request {
	r.said("FieldValidation")
	r.says.Options.FieldValidation = validation
	return r
}

// Force takes the fields that others own; for Apply only.
func (r Request) Force() Request {
	r.said("Force")
	if r.says.Patch == nil || r.says.Patch.Type != requestfile.Apply {
		r.problems = append(slices.Clip(r.problems), errors.New("Force is for Apply"))
		return r
	}
	patch := *r.says.Patch
	patch.Force = true
	r.says.Patch = &patch
	return r
}

// DeleteOptions says how to delete: GracePeriodSeconds, PropagationPolicy and Preconditions
// count, and nothing else may be set.
func (r Request) DeleteOptions(o metav1.DeleteOptions) Request {
	r.said("DeleteOptions")
	o = *o.DeepCopy()
	options := &r.says.Options
	options.GracePeriodSeconds, options.PropagationPolicy, options.Preconditions =
		o.GracePeriodSeconds, o.PropagationPolicy, o.Preconditions
	o.GracePeriodSeconds, o.PropagationPolicy, o.Preconditions = nil, nil, nil
	if rest, err := json.Marshal(o); err != nil || string(rest) != "{}" {
		r.problems = append(slices.Clip(r.problems), fmt.Errorf("DeleteOptions: these cannot be asked for: %s", rest))
	}
	return r
}
