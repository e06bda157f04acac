package registry

import (
	"context"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	authenticationjwt "k8s.io/apiserver/pkg/authentication/token/jwt"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/features"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/apiserver/serviceaccounts"
)

// tokenREST is the subresource that issues the tokens of service accounts.
type tokenREST struct {
	get    serviceaccounts.Getter
	tokens *serviceaccounts.Tokens
}

var (
	_ rest.NamedCreater                   = tokenREST{}
	_ rest.GroupVersionKindProvider       = tokenREST{}
	_ rest.SubresourceObjectMetaPreserver = tokenREST{}
)

var tokenRequestKind = authenticationv1.SchemeGroupVersion.WithKind("TokenRequest")

// New implements rest.Storage.
func (tokenREST) New() runtime.Object { return &authenticationv1.TokenRequest{} }

// Destroy implements rest.Storage. The service accounts own the store.
func (tokenREST) Destroy() {}

// GroupVersionKind implements rest.GroupVersionKindProvider.
func (tokenREST) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return tokenRequestKind
}

// PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate implements
// rest.SubresourceObjectMetaPreserver: the UID in a TokenRequest is a
// precondition.
func (tokenREST) PreserveRequestObjectMetaSystemFieldsOnSubresourceCreate() bool { return true }

// Create implements rest.NamedCreater. The order of its checks, and their
// messages, are kube-apiserver's.
func (r tokenREST) Create(
	ctx context.Context, name string, object runtime.Object,
	validate rest.ValidateObjectFunc, _ *metav1.CreateOptions,
) (runtime.Object, error) {
	asked := object.(*authenticationv1.TokenRequest)
	namespace := request.NamespaceValue(ctx)
	if err := checkTokenNames(asked, namespace, name); err != nil {
		return nil, err
	}
	account, err := r.get(ctx, "serviceaccounts", namespace, name)
	if err != nil {
		return nil, err
	}
	if asked.UID != "" && asked.UID != account.GetUID() {
		return nil, tokenConflict(tokenRequestKind.GroupKind(), name, fmt.Errorf(
			"the UID in the token request (%s) does not match the UID of the service account (%s)",
			asked.UID, account.GetUID()))
	}
	now := time.Now()
	asked.Name, asked.Namespace, asked.UID = name, namespace, account.GetUID()
	asked.CreationTimestamp = metav1.NewTime(now)
	asked.Status = authenticationv1.TokenRequestStatus{}
	if len(asked.Spec.Audiences) == 0 {
		asked.Spec.Audiences = serviceaccounts.Audiences()
	}
	if errs := validateTokenRequest(asked.Spec); len(errs) > 0 {
		return nil, apierrors.NewInvalid(tokenRequestKind.GroupKind(), "", errs)
	}
	if validate != nil {
		if err := validate(ctx, asked.DeepCopy()); err != nil {
			return nil, err
		}
	}
	bound, err := r.bind(ctx, name, namespace, asked.Spec.BoundObjectRef)
	if err != nil {
		return nil, err
	}
	lifetime := time.Duration(*asked.Spec.ExpirationSeconds) * time.Second
	token, id, err := r.tokens.Issue(serviceaccounts.Request{
		Account: account, Audiences: asked.Spec.Audiences, Bound: bound, Lifetime: lifetime,
	}, now)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	audit.AddAuditAnnotation(ctx, serviceaccount.IssuedCredentialIDAuditAnnotationKey,
		authenticationjwt.CredentialIDForJTI(id))
	issued := asked.DeepCopy()
	issued.Status = authenticationv1.TokenRequestStatus{
		Token: token, ExpirationTimestamp: metav1.NewTime(now.Add(lifetime)),
	}
	return issued, nil
}

func checkTokenNames(asked *authenticationv1.TokenRequest, namespace, name string) error {
	metadata := field.NewPath("metadata")
	var err *field.Error
	switch {
	case asked.Name != "" && asked.Name != name:
		err = field.Invalid(metadata.Child("name"), asked.Name,
			"must match the service account name if specified")
	case asked.Namespace != "" && asked.Namespace != namespace:
		err = field.Invalid(metadata.Child("namespace"), asked.Namespace,
			"must match the service account namespace if specified")
	default:
		return nil
	}
	return apierrors.NewInvalid(tokenRequestKind.GroupKind(), name, field.ErrorList{err})
}

func validateTokenRequest(spec authenticationv1.TokenRequestSpec) field.ErrorList {
	const shortest, longest = 10 * 60, 1 << 32
	path := field.NewPath("spec")
	seconds, expiration := ptr.Deref(spec.ExpirationSeconds, 0), path.Child("expirationSeconds")
	var errs field.ErrorList
	if seconds < shortest {
		errs = append(errs,
			field.Invalid(expiration, seconds, "may not specify a duration less than 10 minutes"))
	}
	if seconds > longest {
		errs = append(errs,
			field.Invalid(expiration, seconds, "may not specify a duration larger than 2^32 seconds"))
	}
	if len(spec.Attestations) > 0 {
		errs = field.ErrorList{field.Invalid(path.Child("attestations"), spec.Attestations,
			"attestations may only be specified with a webhook bound object reference")}
	}
	return errs
}

// bind returns the object to which a token of the service account is bound.
func (r tokenREST) bind(
	ctx context.Context, account, namespace string, ref *authenticationv1.BoundObjectReference,
) (serviceaccounts.Bound, error) {
	var bound serviceaccounts.Bound
	if ref == nil {
		return bound, nil
	}
	kind := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	var to *serviceaccounts.Reference
	var err error
	switch kind.GroupKind() {
	case schema.GroupKind{Kind: "Pod"}:
		bound, err = r.bindToPod(ctx, account, namespace, ref.Name)
		to = bound.Pod
	case schema.GroupKind{Kind: "Secret"}:
		bound.Secret, err = r.refer(ctx, "secrets", namespace, ref.Name)
		to = bound.Secret
	case schema.GroupKind{Kind: "Node"}:
		bound.Node, err = r.refer(ctx, "nodes", "", ref.Name)
		to = bound.Node
	default:
		return bound, unbindable(kind)
	}
	if err == nil && ref.UID != "" && ref.UID != to.UID {
		err = tokenConflict(kind.GroupKind(), ref.Name, fmt.Errorf("the UID in the bound object "+
			"reference (%s) does not match the UID in record. "+
			"The object might have been deleted and then recreated", ref.UID))
	}
	return bound, err
}

// unbindable returns the error for a kind to which no token can be bound.
func unbindable(kind schema.GroupVersionKind) error {
	message := "cannot bind token to object of type " + kind.String()
	switch kind.GroupVersion().String() + " " + kind.Kind {
	case "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration",
		"admissionregistration.k8s.io/v1 MutatingWebhookConfiguration":
		message += fmt.Sprintf(" (feature gate %s is disabled)",
			features.APIServerWebhookAuthenticationToken)
	}
	return apierrors.NewBadRequest(message)
}

func (r tokenREST) bindToPod(
	ctx context.Context, account, namespace, name string,
) (bound serviceaccounts.Bound, err error) {
	found, err := r.get(ctx, "pods", namespace, name)
	if err != nil {
		return bound, err
	}
	pod := found.(*corev1.Pod)
	if pod.Spec.ServiceAccountName != account {
		return bound, apierrors.NewBadRequest(fmt.Sprintf("cannot bind token for serviceaccount %q "+
			"to pod running with different serviceaccount name.", account))
	}
	bound.Pod = serviceaccounts.ReferTo(pod)
	if pod.Spec.NodeName == "" {
		return bound, nil
	}
	bound.Node, err = r.refer(ctx, "nodes", "", pod.Spec.NodeName)
	if apierrors.IsNotFound(err) {
		bound.Node, err = &serviceaccounts.Reference{Name: pod.Spec.NodeName}, nil
	}
	return bound, err
}

func (r tokenREST) refer(
	ctx context.Context, resource, namespace, name string,
) (*serviceaccounts.Reference, error) {
	found, err := r.get(ctx, resource, namespace, name)
	if err != nil {
		return nil, err
	}
	return serviceaccounts.ReferTo(found), nil
}

// tokenConflict returns the error for a precondition that failed.
func tokenConflict(kind schema.GroupKind, name string, err error) error {
	// Compat: kube-apiserver names the kind where others have the resource.
	resource := schema.GroupResource{Group: kind.Group, Resource: kind.Kind}
	return apierrors.NewConflict(resource, name, err)
}
