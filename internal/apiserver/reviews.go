package apiserver

import (
	"context"
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
)

// reviews are questions of who somebody is and what they may do. They are answered and
// not stored. kubectl asks them for `auth whoami` and `auth can-i`.
func reviews() []resource {
	who, may := authenticationv1.SchemeGroupVersion, authorizationv1.SchemeGroupVersion
	return []resource{
		{version: who, kind: "SelfSubjectReview", plural: "selfsubjectreviews", scope: clusterWide},
		{version: who, kind: "TokenReview", plural: "tokenreviews", scope: clusterWide},
		{version: may, kind: "LocalSubjectAccessReview", plural: "localsubjectaccessreviews", scope: namespaced},
		{version: may, kind: "SelfSubjectAccessReview", plural: "selfsubjectaccessreviews", scope: clusterWide},
		{version: may, kind: "SelfSubjectRulesReview", plural: "selfsubjectrulesreviews", scope: clusterWide},
		{version: may, kind: "SubjectAccessReview", plural: "subjectaccessreviews", scope: clusterWide},
	}
}

// hidden are the reviews to plugins that dispatch to webhooks: no webhook hears of them
// (S-011).
type hidden struct{}

// Initialize implements apiadmission.PluginInitializer.
func (hidden) Initialize(plugin apiadmission.Interface) {
	wants, ok := plugin.(initializer.WantsExcludedAdmissionResources)
	if !ok {
		return
	}
	var names []schema.GroupResource
	for _, r := range reviews() {
		names = append(names, r.groupResource())
	}
	wants.SetExcludedAdmissionResources(names)
}

// installReviews puts the reviews behind the server. Known tells whose token a token is.
func installReviews(server *genericapiserver.GenericAPIServer, t schemes, known authenticator.Request) error {
	var all []*genericapiserver.APIGroupInfo
	for _, r := range reviews() {
		var info *genericapiserver.APIGroupInfo
		all, info = groupFor(all, r.version.Group, t)
		add(info, r.version.Version, map[string]rest.Storage{r.plural: reviewer{r, t, known}})
	}
	for _, info := range all {
		if err := installGroup(server, info); err != nil {
			return fmt.Errorf("installing %s: %w", info.PrioritizedVersions[0], err)
		}
	}
	return nil
}

// reviewer answers the questions of one kind. Whoever was let in may do everything, and
// so may everybody they impersonate. That is the answer to all questions about rights,
// whatever they ask.
type reviewer struct {
	resource resource
	types    schemes
	known    authenticator.Request
}

var (
	_ rest.Creater              = reviewer{}
	_ rest.Scoper               = reviewer{}
	_ rest.SingularNameProvider = reviewer{}
)

// New implements rest.Storage.
func (r reviewer) New() runtime.Object {
	return r.types.make(r.resource.version.WithKind(r.resource.kind))
}

// Destroy implements rest.Storage. There is nothing behind.
func (reviewer) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (r reviewer) NamespaceScoped() bool { return r.resource.scope == namespaced }

// GetSingularName implements rest.SingularNameProvider.
func (r reviewer) GetSingularName() string { return r.resource.singular() }

// Create implements rest.Creater.
func (r reviewer) Create(ctx context.Context, object runtime.Object, validate rest.ValidateObjectFunc, _ *metav1.CreateOptions) (runtime.Object, error) {
	if validate != nil {
		if err := validate(ctx, object.DeepCopyObject()); err != nil {
			return nil, err
		}
	}
	return object, r.answer(ctx, object)
}

func (r reviewer) answer(ctx context.Context, object runtime.Object) error {
	switch question := object.(type) {
	case *authenticationv1.SelfSubjectReview:
		asking, ok := request.UserFrom(ctx)
		if !ok {
			return apierrors.NewBadRequest("no user present on request")
		}
		question.CreationTimestamp, question.Status.UserInfo = metav1.Now(), userInfo(asking)
	case *authenticationv1.TokenReview:
		if question.Spec.Token == "" {
			return apierrors.NewBadRequest("token is required for TokenReview in authentication")
		}
		question.Status = r.identify(ctx, question.Spec.Token)
	case *authorizationv1.SelfSubjectRulesReview:
		if question.Spec.Namespace == "" {
			return apierrors.NewBadRequest("no namespace on request")
		}
		all := []string{"*"}
		question.Status.ResourceRules = []authorizationv1.ResourceRule{{Verbs: all, APIGroups: all, Resources: all}}
		question.Status.NonResourceRules = []authorizationv1.NonResourceRule{{Verbs: all, NonResourceURLs: all}}
	case *authorizationv1.LocalSubjectAccessReview:
		question.Status = authorizationv1.SubjectAccessReviewStatus{Allowed: true}
	case *authorizationv1.SelfSubjectAccessReview:
		question.Status = authorizationv1.SubjectAccessReviewStatus{Allowed: true}
	case *authorizationv1.SubjectAccessReview:
		question.Status = authorizationv1.SubjectAccessReviewStatus{Allowed: true}
	}
	return nil
}

// identify asks those who let clients in whether they would let in the holder of a
// token.
func (r reviewer) identify(ctx context.Context, token string) authenticationv1.TokenReviewStatus {
	shown := &http.Request{Header: http.Header{"Authorization": {"Bearer " + token}}}
	found, ok, err := r.known.AuthenticateRequest(shown.WithContext(ctx))
	switch {
	case err != nil:
		return authenticationv1.TokenReviewStatus{Error: err.Error()}
	case !ok:
		return authenticationv1.TokenReviewStatus{}
	}
	return authenticationv1.TokenReviewStatus{Authenticated: true, User: userInfo(found.User)}
}

func userInfo(u user.Info) authenticationv1.UserInfo {
	info := authenticationv1.UserInfo{Username: u.GetName(), UID: u.GetUID(), Groups: u.GetGroups(), Extra: map[string]authenticationv1.ExtraValue{}}
	for key, values := range u.GetExtra() {
		info.Extra[key] = values
	}
	return info
}
