package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"example.com/gatehouse/internal/apiserver/scheme"
	"example.com/gatehouse/internal/apiserver/serviceaccounts"
)

// Reviews returns the resources for authentication and authorization reviews.
// The server answers reviews and does not store them. `kubectl auth whoami`,
// `kubectl auth can-i`, and servers with delegated authorization use them.
func Reviews() []Resource {
	authentication := authenticationv1.SchemeGroupVersion
	authorization := authorizationv1.SchemeGroupVersion
	return []Resource{
		{GroupVersionKind: authentication.WithKind("SelfSubjectReview"), Plural: "selfsubjectreviews"},
		{GroupVersionKind: authentication.WithKind("TokenReview"), Plural: "tokenreviews"},
		{
			GroupVersionKind: authorization.WithKind("LocalSubjectAccessReview"),
			Plural:           "localsubjectaccessreviews", NamespaceScoped: true,
		},
		{
			GroupVersionKind: authorization.WithKind("SelfSubjectAccessReview"),
			Plural:           "selfsubjectaccessreviews",
		},
		{
			GroupVersionKind: authorization.WithKind("SelfSubjectRulesReview"),
			Plural:           "selfsubjectrulesreviews",
		},
		{GroupVersionKind: authorization.WithKind("SubjectAccessReview"), Plural: "subjectaccessreviews"},
	}
}

// ReviewExclusion excludes the Reviews from webhooks, as kube-apiserver does
// (S-011).
type ReviewExclusion struct{}

// Initialize implements apiadmission.PluginInitializer.
func (ReviewExclusion) Initialize(plugin apiadmission.Interface) {
	wants, ok := plugin.(initializer.WantsExcludedAdmissionResources)
	if !ok {
		return
	}
	var excluded []schema.GroupResource
	for _, r := range Reviews() {
		excluded = append(excluded, r.groupResource())
	}
	wants.SetExcludedAdmissionResources(excluded)
}

// InstallReviews installs the Reviews. access answers them.
func InstallReviews(
	server *genericapiserver.GenericAPIServer, s scheme.Schemes, access Access,
) error {
	var groups []*genericapiserver.APIGroupInfo
	for _, r := range Reviews() {
		storages := map[string]rest.Storage{r.Plural: reviewREST{r, s, access}}
		groups = addToGroup(groups, r.Group, r.Version, s, storages)
	}
	if err := server.InstallAPIGroups(groups...); err != nil {
		return fmt.Errorf("installing the reviews: %w", err)
	}
	return nil
}

// reviewREST answers one kind of review.
type reviewREST struct {
	resource Resource
	schemes  scheme.Schemes
	access   Access
}

var (
	_ rest.Creater              = reviewREST{}
	_ rest.Scoper               = reviewREST{}
	_ rest.SingularNameProvider = reviewREST{}
)

// New implements rest.Storage.
func (r reviewREST) New() runtime.Object { return r.schemes.MustNew(r.resource.GroupVersionKind) }

// Destroy implements rest.Storage.
func (reviewREST) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (r reviewREST) NamespaceScoped() bool { return r.resource.NamespaceScoped }

// GetSingularName implements rest.SingularNameProvider.
func (r reviewREST) GetSingularName() string { return r.resource.SingularName() }

// Create implements rest.Creater.
func (r reviewREST) Create(
	ctx context.Context, object runtime.Object,
	validate rest.ValidateObjectFunc, _ *metav1.CreateOptions,
) (runtime.Object, error) {
	if validate != nil {
		if err := validate(ctx, object.DeepCopyObject()); err != nil {
			return nil, err
		}
	}
	return object, r.setStatus(ctx, object)
}

func (r reviewREST) setStatus(ctx context.Context, object runtime.Object) error {
	switch review := object.(type) {
	case *authenticationv1.SelfSubjectReview:
		u, ok := request.UserFrom(ctx)
		if !ok {
			return apierrors.NewBadRequest("no user present on request")
		}
		review.CreationTimestamp, review.Status.UserInfo = metav1.Now(), userInfo(u)
	case *authenticationv1.TokenReview:
		if review.Spec.Token == "" {
			return apierrors.NewBadRequest("token is required for TokenReview in authentication")
		}
		var err error
		review.Status, err = r.authenticate(ctx, review.Spec)
		return err
	default:
		return r.access.review(ctx, object, r.resource.GroupVersionKind)
	}
	return nil
}

// authenticate authenticates a synthetic request with the token, for the
// audiences in the spec: by default those of the server.
func (r reviewREST) authenticate(
	ctx context.Context, spec authenticationv1.TokenReviewSpec,
) (authenticationv1.TokenReviewStatus, error) {
	audiences := authenticator.Audiences(spec.Audiences)
	if len(audiences) == 0 {
		audiences = serviceaccounts.Audiences()
	}
	shown := &http.Request{Header: http.Header{"Authorization": {"Bearer " + spec.Token}}}
	response, ok, err := r.access.Authenticator.AuthenticateRequest(
		shown.WithContext(authenticator.WithAudiences(ctx, audiences)))
	switch {
	case err != nil:
		return authenticationv1.TokenReviewStatus{Error: err.Error()}, nil
	case !ok:
		return authenticationv1.TokenReviewStatus{}, nil
	case len(audiences.Intersect(response.Audiences)) == 0:
		return authenticationv1.TokenReviewStatus{},
			apierrors.NewInternalError(errors.New("error validating audience"))
	}
	return authenticationv1.TokenReviewStatus{
		Authenticated: true, User: userInfo(response.User), Audiences: response.Audiences,
	}, nil
}

func userInfo(u user.Info) authenticationv1.UserInfo {
	info := authenticationv1.UserInfo{
		Username: u.GetName(), UID: u.GetUID(), Groups: u.GetGroups(),
		Extra: map[string]authenticationv1.ExtraValue{},
	}
	for key, values := range u.GetExtra() {
		info.Extra[key] = values
	}
	return info
}
