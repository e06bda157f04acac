package matching

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cel"
)

// Namespaces knows the labels of namespaces.
type Namespaces interface {
	// Labels returns the labels of a namespace. If there is none of that name,
	// the error is apimachinery's NotFound and becomes the request's answer
	// (S-094); any other error becomes an internal error. The map is read-only.
	Labels(ctx context.Context, name string) (map[string]string, error)
}

// Input is what a Request is made of.
type Input struct {
	// Attributes describe the request. Required.
	Attributes apiadmission.Attributes
	// Objects knows equivalent resources and their kinds. Required.
	Objects apiadmission.ObjectInterfaces
	// Versioned returns the request with its objects converted to a kind.
	// Required. An error becomes an internal error.
	Versioned func(schema.GroupVersionKind) (*apiadmission.VersionedAttributes, error)
	// Namespaces answers namespaceSelectors. Required.
	Namespaces Namespaces
	// Authorizer answers the authorizer checks of CEL conditions; without one
	// such conditions fail (S-023).
	Authorizer authorizer.UnconditionalAuthorizer
	// Record asks for Match.Seen and the results of single conditions.
	Record bool
	// Now is the clock that the evaluation of conditions is timed with. Without
	// one, Conditions.Elapsed stays zero.
	Now func() time.Time
}

// Request is one request as matching sees it in one phase. It remembers what
// several webhooks ask about, so that a namespace is looked up, a mapper asked
// and an expression evaluated only once; it belongs to one goroutine.
type Request struct {
	in Input
	// current is the attributes with the object as it is now.
	current apiadmission.Attributes
	ask     ask

	namespace   *namespaceAnswer
	equivalents []schema.GroupVersionResource
	mapped      bool // the mapper has been asked for equivalents

	// What follows is forgotten when the object changes.
	activations map[schema.GroupVersionKind]*activation
	evaluations map[evaluationKey]evaluation
	verdicts    []verdict
	byNamespace selections
	byObject    selections
	// results is room for those that nobody keeps.
	results []admission.ConditionResult
}

type namespaceAnswer struct {
	labels labels.Set
	err    error
}

type evaluationKey struct {
	kind    schema.GroupVersionKind
	program *cel.Program
}

// NewRequest returns the view of a request at the start of a phase.
func NewRequest(in Input) *Request {
	r := &Request{}
	r.Reset(in)
	return r
}

// Reset makes r the view of another request. It must no longer be in use for the one
// before, some of whose memory is used again.
func (r *Request) Reset(in Input) {
	a := in.Attributes
	*r = Request{
		in:      in,
		current: a,
		ask: ask{
			operation:   string(a.GetOperation()),
			resource:    a.GetResource(),
			subresource: a.GetSubresource(),
			namespaced:  a.GetNamespace() != "",
		},
		equivalents: r.equivalents[:0],
	}
}

// Forget has r refer to nothing any more. After that it can only be Reset.
func (r *Request) Forget() { *r = Request{equivalents: r.equivalents[:0]} }

// Update tells the request that the object has changed: selectors and
// conditions of the webhooks to come see it as current has it (S-101).
func (r *Request) Update(current apiadmission.Attributes) {
	r.current = current
	r.activations, r.evaluations = nil, nil
	r.verdicts, r.byNamespace, r.byObject = r.verdicts[:0], r.byNamespace[:0], r.byObject[:0]
	if r.isNamespaceWrite() {
		r.namespace = nil
	}
}

// isNamespaceWrite reports whether the request's own object is the namespace to
// compare with: the namespace that is looked up would be too old, or not there.
//
// Compat: S-092: resources named namespaces of any group are taken for one.
func (r *Request) isNamespaceWrite() bool {
	op := r.current.GetOperation()
	return r.ask.resource.Resource == "namespaces" && r.ask.subresource == "" &&
		(op == apiadmission.Create || op == apiadmission.Update)
}

// namespaceLabels returns the labels that namespaceSelectors are compared with.
func (r *Request) namespaceLabels(ctx context.Context) (labels.Set, error) {
	if r.namespace == nil {
		answer := &namespaceAnswer{}
		answer.labels, answer.err = r.lookupNamespace(ctx)
		r.namespace = answer
	}
	return r.namespace.labels, r.namespace.err
}

func (r *Request) lookupNamespace(ctx context.Context) (labels.Set, error) {
	if r.isNamespaceWrite() {
		accessor, err := meta.Accessor(r.current.GetObject())
		if err != nil {
			return nil, err
		}
		return accessor.GetLabels(), nil
	}
	return r.in.Namespaces.Labels(ctx, r.current.GetNamespace())
}

// equivalentResources returns the other resources under which the request's
// object is known, in the mapper's order (S-120).
func (r *Request) equivalentResources() []schema.GroupVersionResource {
	if r.mapped {
		return r.equivalents
	}
	for _, gvr := range r.in.Objects.GetEquivalentResourceMapper().EquivalentResourcesFor(r.ask.resource, r.ask.subresource) {
		if gvr != r.ask.resource {
			r.equivalents = append(r.equivalents, gvr)
		}
	}
	r.mapped = true
	return r.equivalents
}

// labelsOf returns an object's labels, and whether it has metadata at all.
func labelsOf(object runtime.Object) (labels.Set, bool) {
	if object == nil {
		return nil, false
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, false
	}
	return accessor.GetLabels(), true
}

// asStatus returns err as the status that ends a request: a namespace that is
// not found is the answer itself, everything else is internal (S-094).
func asStatus(err error) error {
	if status, ok := err.(apierrors.APIStatus); ok && apierrors.IsNotFound(err) {
		return &apierrors.StatusError{ErrStatus: status.Status()}
	}
	return apierrors.NewInternalError(err)
}
