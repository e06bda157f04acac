package builtin

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// hintCluster sets cluster-scoped objects, events and access reviews.
func hintCluster(part any) {
	switch p := part.(type) {
	case *corev1.Binding:
		p.Target = corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: word}
	case *corev1.Event:
		p.InvolvedObject = corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Name: word}
		p.Reason, p.Type, p.Message = "Sampled", corev1.EventTypeNormal, word
		p.FirstTimestamp, p.LastTimestamp, p.Count = began(), began(), 1
		p.ReportingController, p.ReportingInstance = "", ""
	case *authenticationv1.TokenReviewSpec:
		p.Token = word
	case *authorizationv1.SubjectAccessReviewSpec:
		p.User = word
		p.ResourceAttributes = &authorizationv1.ResourceAttributes{Verb: "get", Resource: "pods"}
	case *authorizationv1.SelfSubjectAccessReviewSpec:
		p.ResourceAttributes = &authorizationv1.ResourceAttributes{Verb: "get", Resource: "pods"}
	case *authorizationv1.SelfSubjectRulesReviewSpec:
		p.Namespace = word
	case *apiextensionsv1.CustomResourceDefinition:
		p.Name = "samples.example.com"
		p.Spec.Group = "example.com"
		p.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: "samples", Singular: word,
			Kind: "Sample", ListKind: "SampleList"}
		p.Spec.Scope = apiextensionsv1.NamespaceScoped
	case *apiextensionsv1.CustomResourceDefinitionVersion:
		p.Name, p.Served, p.Storage = "v1", true, true
		p.Schema = &apiextensionsv1.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object", XPreserveUnknownFields: new(true),
			},
		}
	}
}

// Move sets the namespace in the fields outside of metadata that repeat it.
func Move(object runtime.Object, namespace string) {
	switch o := object.(type) {
	case *corev1.Event:
		o.InvolvedObject.Namespace = namespace
	case *eventsv1.Event:
		o.Regarding.Namespace = namespace
	case *authorizationv1.LocalSubjectAccessReview:
		o.Spec.ResourceAttributes.Namespace = namespace
	}
}
