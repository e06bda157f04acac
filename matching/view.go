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

// Namespaces looks up namespaces for namespaceSelectors.
type Namespaces interface {
	// Labels returns the labels of a namespace. If the namespace does not
	// exist, the error is apimachinery's NotFound, which the client receives
	// (S-094). The client receives any other error as an internal error. The
	// caller does not modify the map.
	Labels(ctx context.Context, name string) (map[string]string, error)
}

// Input describes a request to NewView.
type Input struct {
	// Attributes are the attributes of the request. Required.
	Attributes apiadmission.Attributes
	// Objects maps resources to equivalent resources and their kinds. Required.
	Objects apiadmission.ObjectInterfaces
	// Namespaces looks up the request's namespace. Required.
	Namespaces Namespaces
	// Authorizer performs the authorizer checks of CEL conditions. Conditions
	// with such checks fail if it is nil (S-023).
	Authorizer authorizer.UnconditionalAuthorizer
	// Record fills Match.Seen and Conditions.Results.
	Record bool
	// Now is the clock for Conditions.Elapsed, which stays zero if Now is nil.
	Now func() time.Time
}

// View is a request in one phase as matching sees it. It looks up the namespace
// and equivalent resources once, and evaluates an expression once, for all
// webhooks of the phase. A View belongs to one goroutine.
type View struct {
	in Input
	// current are the attributes with the current object.
	current apiadmission.Attributes
	query   RuleQuery

	namespace        *namespaceLookup
	equivalents      []schema.GroupVersionResource
	equivalentsKnown bool // equivalents is filled

	// Update resets the fields below.
	activations         map[schema.GroupVersionKind]*activation
	evaluations         map[evaluationKey]evaluation
	evaluatedConditions []evaluated
	// results is a buffer for results that no record keeps.
	results []admission.ConditionResult
}

type namespaceLookup struct {
	labels labels.Set
	err    error
}

type evaluationKey struct {
	kind    schema.GroupVersionKind
	program *cel.Program
}

// NewView returns the view of a request at the start of a phase.
func NewView(in Input) *View {
	a := in.Attributes
	return &View{
		in:      in,
		current: a,
		query: RuleQuery{
			Operation:   string(a.GetOperation()),
			Resource:    a.GetResource(),
			Subresource: a.GetSubresource(),
			Namespaced:  a.GetNamespace() != "",
		},
	}
}

// Update replaces the object: selectors and conditions of later webhooks see
// the object of current (S-101).
func (v *View) Update(current apiadmission.Attributes) {
	v.current = current
	v.activations, v.evaluations = nil, nil
	v.evaluatedConditions = v.evaluatedConditions[:0]
	if v.query.WritesNamespace() {
		v.namespace = nil
	}
}

// WritesNamespace reports whether the request creates or updates a namespace.
// Then namespaceSelectors select by the labels of the request's object, because
// the stored namespace may not exist or be older.
//
// Compat: S-092: a resource "namespaces" of any group counts as a namespace.
func (q *RuleQuery) WritesNamespace() bool {
	return q.Resource.Resource == "namespaces" && q.Subresource == "" &&
		(q.Operation == string(apiadmission.Create) || q.Operation == string(apiadmission.Update))
}

// namespaceLabels returns the labels that namespaceSelectors select by.
func (v *View) namespaceLabels(ctx context.Context) (labels.Set, error) {
	if v.namespace == nil {
		labels, err := v.lookupNamespace(ctx)
		v.namespace = &namespaceLookup{labels, err}
	}
	return v.namespace.labels, v.namespace.err
}

func (v *View) lookupNamespace(ctx context.Context) (labels.Set, error) {
	if v.query.WritesNamespace() {
		accessor, err := meta.Accessor(v.current.GetObject())
		if err != nil {
			return nil, err
		}
		return accessor.GetLabels(), nil
	}
	return v.in.Namespaces.Labels(ctx, v.current.GetNamespace())
}

// equivalentResources returns the resources that are equivalent to the
// request's, without the request's own, in the mapper's order (S-120).
func (v *View) equivalentResources() []schema.GroupVersionResource {
	if v.equivalentsKnown {
		return v.equivalents
	}
	mapper := v.in.Objects.GetEquivalentResourceMapper()
	for _, gvr := range mapper.EquivalentResourcesFor(v.query.Resource, v.query.Subresource) {
		if gvr != v.query.Resource {
			v.equivalents = append(v.equivalents, gvr)
		}
	}
	v.equivalentsKnown = true
	return v.equivalents
}

// labelsOf returns the labels of an object, and whether the object has
// metadata.
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

// statusError returns the error that the client receives for err: NotFound as
// it is, any other error as an internal error (S-094).
func statusError(err error) error {
	if status, ok := err.(apierrors.APIStatus); ok && apierrors.IsNotFound(err) {
		return &apierrors.StatusError{ErrStatus: status.Status()}
	}
	return apierrors.NewInternalError(err)
}
