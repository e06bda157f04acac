package apiserver

import (
	"context"
	"crypto/rand"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
)

// madeUp begins the tokens of service accounts, so that whoever wonders why one is
// of no use can see it.
const madeUp = "gatehouse-token-that-grants-nothing-"

// tokens is the subresource that issues tokens of service accounts. The server does
// not accept them: whoever has one is a stranger.
type tokens struct{ accounts store }

var (
	_ rest.NamedCreater             = tokens{}
	_ rest.GroupVersionKindProvider = tokens{}
)

func newTokens(s store) rest.Storage { return tokens{s} }

// New implements rest.Storage.
func (tokens) New() runtime.Object { return &authenticationv1.TokenRequest{} }

// Destroy implements rest.Storage. What is behind belongs to the accounts.
func (tokens) Destroy() {}

// GroupVersionKind implements rest.GroupVersionKindProvider.
func (tokens) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return authenticationv1.SchemeGroupVersion.WithKind("TokenRequest")
}

// Create implements rest.NamedCreater.
func (t tokens) Create(ctx context.Context, name string, object runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	request := object.(*authenticationv1.TokenRequest)
	found, err := t.accounts.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	account := metadata(found)
	switch {
	case request.Name == "":
		request.Name = account.GetName()
	case request.Name != account.GetName():
		return nil, apierrors.NewBadRequest("name in URL does not match name in TokenRequest object")
	}
	if request.Namespace == "" {
		request.Namespace = account.GetNamespace()
	}
	if validate != nil {
		if err := validate(ctx, request.DeepCopy()); err != nil {
			return nil, err
		}
	}
	issued := request.DeepCopy()
	issued.CreationTimestamp = metav1.Now()
	issued.Status = authenticationv1.TokenRequestStatus{
		Token:               madeUp + rand.Text(),
		ExpirationTimestamp: metav1.NewTime(time.Now().Add(lifetime(request.Spec))),
	}
	return issued, nil
}

// lifetime is how long a token would be good for.
func lifetime(spec authenticationv1.TokenRequestSpec) time.Duration {
	if spec.ExpirationSeconds == nil {
		return time.Hour
	}
	return time.Duration(*spec.ExpirationSeconds) * time.Second
}
