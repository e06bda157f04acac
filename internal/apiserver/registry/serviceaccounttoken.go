package registry

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

// TokenPrefix begins all service account tokens. It tells readers why the
// server rejects them.
const TokenPrefix = "gatehouse-token-that-grants-nothing-"

// tokenREST is the subresource that issues service account tokens. The server
// does not accept them.
type tokenREST struct{ accounts resourceREST }

var (
	_ rest.NamedCreater             = tokenREST{}
	_ rest.GroupVersionKindProvider = tokenREST{}
)

func newTokenREST(r resourceREST) rest.Storage { return tokenREST{r} }

// New implements rest.Storage.
func (tokenREST) New() runtime.Object { return &authenticationv1.TokenRequest{} }

// Destroy implements rest.Storage. The service accounts own the store.
func (tokenREST) Destroy() {}

// GroupVersionKind implements rest.GroupVersionKindProvider.
func (tokenREST) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return authenticationv1.SchemeGroupVersion.WithKind("TokenRequest")
}

// Create implements rest.NamedCreater.
func (r tokenREST) Create(
	ctx context.Context, name string, object runtime.Object,
	validate rest.ValidateObjectFunc, _ *metav1.CreateOptions,
) (runtime.Object, error) {
	request := object.(*authenticationv1.TokenRequest)
	stored, err := r.accounts.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	account := accessor(stored)
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
		Token:               TokenPrefix + rand.Text(),
		ExpirationTimestamp: metav1.NewTime(time.Now().Add(lifetime(request.Spec))),
	}
	return issued, nil
}

// lifetime returns the lifetime that a TokenRequest asks for, one hour by
// default.
func lifetime(spec authenticationv1.TokenRequestSpec) time.Duration {
	if spec.ExpirationSeconds == nil {
		return time.Hour
	}
	return time.Duration(*spec.ExpirationSeconds) * time.Second
}
