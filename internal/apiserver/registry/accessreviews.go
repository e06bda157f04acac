package registry

import (
	"cmp"
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// review sets the status of an access review or a rules review.
func (a Access) review(
	ctx context.Context, object runtime.Object, kind schema.GroupVersionKind,
) error {
	self, ok := request.UserFrom(ctx)
	if !ok {
		return apierrors.NewBadRequest("no user present on request")
	}
	if review, ok := object.(*authorizationv1.SelfSubjectRulesReview); ok {
		return a.reviewRules(ctx, self, review)
	}
	if errs := validateAccessReview(object, request.NamespaceValue(ctx)); len(errs) > 0 {
		return apierrors.NewInvalid(kind.GroupKind(), "", errs)
	}
	switch review := object.(type) {
	case *authorizationv1.SelfSubjectAccessReview:
		spec := review.Spec
		review.Status = a.decide(ctx, self, spec.ResourceAttributes, spec.NonResourceAttributes)
	case *authorizationv1.SubjectAccessReview:
		review.Status = a.decideFor(ctx, review.Spec)
	case *authorizationv1.LocalSubjectAccessReview:
		review.Status = a.decideFor(ctx, review.Spec)
	}
	return nil
}

// decideFor decides about the user that a spec describes.
func (a Access) decideFor(
	ctx context.Context, spec authorizationv1.SubjectAccessReviewSpec,
) authorizationv1.SubjectAccessReviewStatus {
	u := &user.DefaultInfo{
		Name: spec.User, UID: spec.UID, Groups: spec.Groups, Extra: map[string][]string{},
	}
	for key, values := range spec.Extra {
		u.Extra[key] = values
	}
	return a.decide(ctx, u, spec.ResourceAttributes, spec.NonResourceAttributes)
}

func (a Access) decide(
	ctx context.Context, u user.Info, on *authorizationv1.ResourceAttributes,
	url *authorizationv1.NonResourceAttributes,
) authorizationv1.SubjectAccessReviewStatus {
	asked := authorizer.AttributesRecord{User: u}
	if on != nil {
		asked.ResourceRequest = true
		asked.Verb, asked.Namespace, asked.Name = on.Verb, on.Namespace, on.Name
		asked.APIGroup, asked.APIVersion = on.Group, cmp.Or(on.Version, "*")
		asked.Resource, asked.Subresource = on.Resource, on.Subresource
	} else {
		asked.Verb, asked.Path = url.Verb, url.Path
	}
	decision, reason, err := a.Authorizer.Authorize(ctx, asked)
	status := authorizationv1.SubjectAccessReviewStatus{
		Allowed: decision == authorizer.DecisionAllow,
		Denied:  decision == authorizer.DecisionDeny,
		Reason:  reason,
	}
	if err != nil {
		status.EvaluationError = err.Error()
	}
	return status
}

func (a Access) reviewRules(
	ctx context.Context, self user.Info, review *authorizationv1.SelfSubjectRulesReview,
) error {
	if review.Spec.Namespace == "" {
		return apierrors.NewBadRequest("no namespace on request")
	}
	onResources, onURLs, incomplete, err := a.Authorizer.RulesFor(ctx, self, review.Spec.Namespace)
	status := authorizationv1.SubjectRulesReviewStatus{
		ResourceRules:    []authorizationv1.ResourceRule{},
		NonResourceRules: []authorizationv1.NonResourceRule{},
		Incomplete:       incomplete,
	}
	for _, r := range onResources {
		status.ResourceRules = append(status.ResourceRules, authorizationv1.ResourceRule{
			Verbs: r.GetVerbs(), APIGroups: r.GetAPIGroups(), Resources: r.GetResources(),
			ResourceNames: r.GetResourceNames(),
		})
	}
	for _, r := range onURLs {
		status.NonResourceRules = append(status.NonResourceRules, authorizationv1.NonResourceRule{
			Verbs: r.GetVerbs(), NonResourceURLs: r.GetNonResourceURLs(),
		})
	}
	if err != nil {
		status.EvaluationError = err.Error()
	}
	review.Status = status
	return nil
}

// validateAccessReview returns kube-apiserver's errors for the spec.
func validateAccessReview(object runtime.Object, namespace string) field.ErrorList {
	path := field.NewPath("spec")
	var errs field.ErrorList
	switch review := object.(type) {
	case *authorizationv1.SelfSubjectAccessReview:
		spec := review.Spec
		errs = validateAttributes(spec.ResourceAttributes, spec.NonResourceAttributes, path)
	case *authorizationv1.SubjectAccessReview:
		errs = validateSubject(review.Spec, path)
	case *authorizationv1.LocalSubjectAccessReview:
		errs = validateSubject(review.Spec, path)
		if on := review.Spec.ResourceAttributes; on != nil && on.Namespace != namespace {
			errs = append(errs, field.Invalid(path.Child("resourceAttributes", "namespace"), on.Namespace,
				"must match metadata.namespace"))
		}
		if url := review.Spec.NonResourceAttributes; url != nil {
			errs = append(errs, field.Invalid(path.Child("nonResourceAttributes"), url,
				"disallowed on this kind of request"))
		}
	}
	return errs
}

func validateSubject(
	spec authorizationv1.SubjectAccessReviewSpec, path *field.Path,
) field.ErrorList {
	errs := validateAttributes(spec.ResourceAttributes, spec.NonResourceAttributes, path)
	if spec.User == "" && len(spec.Groups) == 0 {
		errs = append(errs,
			field.Invalid(path.Child("user"), "", "at least one of user or group must be specified"))
	}
	return errs
}

func validateAttributes(
	on *authorizationv1.ResourceAttributes, url *authorizationv1.NonResourceAttributes,
	path *field.Path,
) field.ErrorList {
	switch {
	case on != nil && url != nil:
		return field.ErrorList{field.Invalid(path.Child("nonResourceAttributes"), url,
			"cannot be specified in combination with resourceAttributes")}
	case on == nil && url == nil:
		return field.ErrorList{field.Invalid(path.Child("resourceAttributes"), url,
			"exactly one of nonResourceAttributes or resourceAttributes must be specified")}
	}
	return nil
}
