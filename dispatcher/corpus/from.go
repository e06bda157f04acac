package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
)

// Options contain the information that FromResponse cannot get from the
// response.
type Options struct {
	// Source is Entry.Source. Required.
	Source Source
	// Origin is Entry.Origin. The default is empty.
	Origin string
	// ID is Entry.ID. The default is a new UUID.
	ID string
	// Redact are the paths in objects whose values are redacted, in addition to
	// the data of Secrets; see Entry.Redact.
	Redact []explain.Path
	// NotReached reports whether the error is that of a call that was not
	// attempted, because the program may not connect to the webhook. Such a
	// call has no answer, and a request whose verdict depends on it has no
	// verdict. The default is that all calls were attempted.
	NotReached func(error) bool
}

// FromResponse returns the entry of a request, simulated or observed in a server.
// Answers have the webhooks' responses if the calls were traced; see
// dispatcher.Config.Trace. The entry is redacted as by Entry.Redact.
//
// The error names the part that cannot be encoded. FromResponse does not change
// r.
func FromResponse(r *admission.Response, o Options) (*Entry, error) {
	if r.Request == nil {
		return nil, errors.New("the response has no request")
	}
	e := &Entry{
		APIVersion: APIVersion, Kind: Kind, ID: o.ID, Source: o.Source, Origin: o.Origin,
		NamespaceLabels: namespaceLabels(r),
	}
	if e.ID == "" {
		e.ID = string(uuid.NewUUID())
	}
	if !r.Began.IsZero() {
		e.Time = &metav1.MicroTime{Time: r.Began}
	}
	if err := e.addReview(r.Request); err != nil {
		return nil, err
	}
	sent := e.addAnswers(r, o.NotReached)
	if err := e.addVerdict(r, o.NotReached); err != nil {
		return nil, err
	}
	redactor := newRedactor(e, o.Redact, sent)
	redactor.entry(e)
	for i := range sent {
		// A digest of a review with a secret would let readers guess the secret.
		if asked := redactor.review(sent[i]); asked != nil {
			e.Answers[i].Asked, _ = Asked(asked) // the engine has made the review
		}
	}
	return e, nil
}

// addReview adds the review that a webhook would receive which takes the version
// of the client's request.
func (e *Entry) addReview(r *admission.Request) error {
	object, err := encode(r.Object, r.Kind)
	if err != nil {
		return fmt.Errorf("encoding the object: %w", err)
	}
	old, err := encode(r.OldObject, r.Kind)
	if err != nil {
		return fmt.Errorf("encoding the old object: %w", err)
	}
	builder := &review.Builder{Attributes: apiadmission.NewAttributesRecord(r.Object, r.OldObject,
		r.Kind, r.Namespace, r.Name, r.Resource, r.Subresource, apiadmission.Operation(r.Operation),
		r.Options, r.DryRun, review.User(r.User))}
	target := admission.Target{Resource: r.Resource, Subresource: r.Subresource, Kind: r.Kind}
	var body review.Body
	err = builder.Fill(&body, review.V1, types.UID(e.ID), target, encoded(object), encoded(old))
	if err != nil {
		return fmt.Errorf("encoding the review: %w", err)
	}
	e.Review = json.RawMessage(strings.TrimSpace(string(body.Bytes())))
	return nil
}

// encode returns the JSON of an object with its kind, which a typed object may
// lack; nil for none.
func encode(object runtime.Object, kind schema.GroupVersionKind) (text []byte, err error) {
	if object == nil {
		return nil, nil
	}
	return text, guard.Call(func() (err error) { // the object may be of the embedder's type
		if object.GetObjectKind().GroupVersionKind().Empty() {
			object = object.DeepCopyObject()
			object.GetObjectKind().SetGroupVersionKind(kind)
		}
		text, err = json.Marshal(object)
		return err
	})
}

func encoded(text []byte) review.Encoded {
	if text == nil {
		return nil
	}
	return func() ([]byte, error) { return text, nil }
}

// namespaceLabels returns the labels that the webhooks or policies were matched
// with; nil if none looked, and for a Namespace whose labels are in its object.
func namespaceLabels(r *admission.Response) map[string]string {
	own := r.Request.Resource.Resource == "namespaces" && r.Request.Resource.Group == "" &&
		r.Request.Operation != admissionv1.Delete
	if r.Request.Namespace == "" || own {
		return nil
	}
	if r.NamespaceLabels != nil {
		return r.NamespaceLabels
	}
	for i := range r.Matches {
		if seen := r.Matches[i].Seen; seen != nil && seen.NamespaceLabels != nil {
			return seen.NamespaceLabels
		}
	}
	for i := range r.Policies {
		if seen := r.Policies[i].Match.Seen; seen != nil && seen.NamespaceLabels != nil {
			return seen.NamespaceLabels
		}
	}
	return nil
}

// addAnswers adds the answers. It returns the review that each webhook received;
// nil if it is not known.
func (e *Entry) addAnswers(r *admission.Response, notReached func(error) bool) (sent [][]byte) {
	for i := range r.Calls {
		c := &r.Calls[i]
		if notReached != nil && c.Err != nil && notReached(c.Err) {
			continue
		}
		a := Answer{
			Phase: c.Webhook.Phase.String(), Configuration: c.Webhook.Configuration,
			Webhook: c.Webhook.Name, Round: c.Round, Outcome: c.Outcome.String(),
		}
		a.URL, _, _ = strings.Cut(c.URL, "?")
		if c.Outcome != admission.Allowed && c.Outcome != admission.Rejected && c.Err != nil {
			a.Error = c.Err.Error()
		}
		var review []byte
		if c.Trace != nil {
			if c.Trace.Request != nil {
				review = c.Trace.Request()
			}
			a.Response = responseOf(c)
		}
		e.Answers, sent = append(e.Answers, a), append(sent, review)
	}
	return sent
}

// responseOf returns the AdmissionResponse of a call without its uid; nil if the
// call failed. The engine has decoded it, so that errors cannot occur.
func responseOf(c *admission.Call) json.RawMessage {
	switch c.Outcome {
	case admission.Allowed, admission.Rejected, admission.Internal:
	case admission.FailedClosed, admission.FailedOpen, admission.Canceled, admission.Panicked:
		return nil
	}
	body := c.Trace.Response
	if !json.Valid(body) { // the engine accepts YAML as well
		body, _ = yaml.YAMLToJSON(body)
	}
	var of struct {
		Response map[string]json.RawMessage `json:"response"`
	}
	if json.Unmarshal(body, &of) != nil || of.Response == nil {
		return nil
	}
	delete(of.Response, "uid")
	text, err := json.Marshal(of.Response)
	if err != nil {
		return nil
	}
	return text
}

// addVerdict adds the verdict, unless the request ended between the phases or a
// webhook was not reached.
func (e *Entry) addVerdict(r *admission.Response, notReached func(error) bool) error {
	ended := r.Allowed || r.Status != nil
	if !ended || notReached != nil && explain.Undecided(r, notReached) {
		return nil
	}
	e.Verdict = &Verdict{Allowed: r.Allowed, Status: r.Status.DeepCopy(), Warnings: r.Warnings}
	for _, a := range r.AuditAnnotations {
		if e.Verdict.AuditAnnotations == nil {
			e.Verdict.AuditAnnotations = map[string]string{}
		}
		if _, ok := e.Verdict.AuditAnnotations[a.Key]; !ok { // the first counts (S-317)
			e.Verdict.AuditAnnotations[a.Key] = a.Value
		}
	}
	if r.Request.Operation == admissionv1.Delete {
		return nil
	}
	before, err := encode(r.Request.Object, r.Request.Kind)
	if err != nil {
		return fmt.Errorf("encoding the object: %w", err)
	}
	after, err := encode(r.Object, r.Request.Kind)
	if err != nil {
		return fmt.Errorf("encoding the object after admission: %w", err)
	}
	if string(after) != string(before) {
		e.Verdict.Object = after
	}
	return nil
}
