package dispatcher

import (
	"context"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/review"
	"example.com/gatehouse/matching"
)

// Config says what a Dispatcher works with. It is read once, by New.
type Config struct {
	// Source knows the webhooks. Required.
	Source Source
	// Client reaches them. Required.
	Client Client
	// Namespaces answers namespaceSelectors. By default no namespace exists,
	// so that a selector that has to know one ends the request with 404.
	Namespaces matching.Namespaces
	// Authorizer answers the authorizer checks of matchConditions. Without one,
	// conditions that check authorization fail (S-023).
	Authorizer authorizer.UnconditionalAuthorizer
	// Excluded are resources that no webhook ever sees. Nil means
	// DefaultExcluded; an empty set means none.
	Excluded sets.Set[schema.GroupResource]
	// Limits bound what an answer may cost. By default they are generous; they
	// cannot be turned off, only raised.
	Limits limits.Limits
	// Exact does what kube-apiserver does where that is worse than it need be;
	// the client has an Exact of its own. The default is the better behaviour in
	// each case:
	//
	//   - when a call fails and the request's own context is over, the answer is
	//     504 whatever the phase and the failurePolicy; kube-apiserver answers
	//     500 or 504 while mutating, and 500 or even yes while validating (S-182,
	//     S-265)
	//   - a request that is refused leaves its object as it was at the beginning of
	//     the round; in kube-apiserver it may keep what webhooks changed before
	//     another one asked for the object in another version (S-170, S-173)
	//   - of several validating webhooks that object the first in order is
	//     heard, so that the same request gets the same answer; kube-apiserver
	//     hears the one that is first to answer (S-192)
	Exact bool
	// PatchFailurePolicy makes a patch that cannot be applied a failed call,
	// which the webhook's failurePolicy decides. By default it is an internal
	// error that no policy helps, as in kube-apiserver (S-249, S-250).
	PatchFailurePolicy bool
	// Metrics is told about calls and about evaluated matchConditions; see
	// package metrics. By default nobody is.
	Metrics Recorder
	// Observer is told about every call and about every webhook that was
	// considered, called or not. That has a price: webhooks that the rules
	// exclude at a glance are then examined stage by stage. By default nobody
	// is told.
	Observer Recorder
	// Trace keeps for every call what was sent, what came back, how long each part of
	// it took and what became of the object: see admission.Trace, which observers
	// and Simulate get with the call. It takes memory, and some time. Off by default.
	Trace bool
}

// ErrNotReady is what a Source returns while it does not know yet which webhooks
// are in force.
var ErrNotReady = errors.New("not yet ready to handle request")

// DefaultExcluded returns the resources that kube-apiserver keeps from webhooks:
// the reviews of authentication and authorization, which are not stored and
// which a webhook could use to lock a cluster out (S-011).
func DefaultExcluded() sets.Set[schema.GroupResource] {
	const authentication, authorization = "authentication.k8s.io", "authorization.k8s.io"
	return sets.New(
		schema.GroupResource{Group: authentication, Resource: "selfsubjectreviews"},
		schema.GroupResource{Group: authentication, Resource: "tokenreviews"},
		schema.GroupResource{Group: authorization, Resource: "localsubjectaccessreviews"},
		schema.GroupResource{Group: authorization, Resource: "selfsubjectaccessreviews"},
		schema.GroupResource{Group: authorization, Resource: "selfsubjectrulesreviews"},
		schema.GroupResource{Group: authorization, Resource: "subjectaccessreviews"},
	)
}

// Dispatcher takes requests through webhooks. See New.
type Dispatcher struct {
	config     Config
	codec      *review.Codec
	mutating   *mutating
	validating *validating
	// passes are those that can be used again.
	passes sync.Pool
	// detached bounds the work that outlives its call.
	detached *detachedLimiter
}

// New returns a dispatcher, or an error that names the field that is missing or
// makes no sense.
func New(config Config) (*Dispatcher, error) {
	switch {
	case config.Source == nil:
		return nil, errors.New("dispatcher: Config.Source is required")
	case config.Client == nil:
		return nil, errors.New("dispatcher: Config.Client is required")
	}
	if config.Namespaces == nil {
		config.Namespaces = noNamespaces{}
	}
	if config.Excluded == nil {
		config.Excluded = DefaultExcluded()
	}
	var err error
	if config.Limits, err = config.Limits.WithDefaults(); err != nil {
		return nil, fmt.Errorf("dispatcher: Config.Limits: %w", err)
	}
	codec, err := review.NewCodec()
	if err != nil {
		return nil, fmt.Errorf("dispatcher: %w", err)
	}
	d := &Dispatcher{config: config, codec: codec, detached: newDetachedLimiter()}
	d.mutating = &mutating{Handler: newHandler(), d: d, observer: config.Observer}
	d.validating = &validating{Handler: newHandler(), d: d, observer: config.Observer}
	return d, nil
}

// noNamespaces is a cluster without namespaces.
type noNamespaces struct{}

func (noNamespaces) Labels(_ context.Context, name string) (map[string]string, error) {
	return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, name)
}
