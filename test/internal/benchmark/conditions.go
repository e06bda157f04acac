package main

import (
	"context"
	"fmt"
	"math"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"

	"example.com/gatehouse/internal/testutil/wildconditions"
)

// wildEach is how many conditions of public projects a webhook has.
const wildEach = 3

// wildWebhooks have conditions of public projects, and one more that excludes
// the pod. All of them are evaluated, because the errors of one count even if
// another excludes the request.
func wildWebhooks() []runtime.Object {
	conditions := wildPodConditions()
	return validatingWebhooks(len(conditions)/wildEach, 1,
		func(i int, w *registrationv1.ValidatingWebhook) {
			w.MatchConditions = append(conditions[i*wildEach:(i+1)*wildEach:(i+1)*wildEach],
				registrationv1.MatchCondition{Name: "deletion", Expression: "request.operation == 'DELETE'"})
		})
}

// wildPodConditions returns the conditions of public projects that have a value
// for the creation of a pod. Webhooks with the others have rules for other
// resources, or an authorizer.
func wildPodConditions() (fitting []registrationv1.MatchCondition) {
	var all []celplugin.ExpressionAccessor
	for i, w := range wildconditions.All() {
		all = append(all, &matchconditions.MatchCondition{
			Name: fmt.Sprintf("wild-%d", i), Expression: w.Expression})
	}
	r, kind := creating(newPod(), podEndpoint())(), podEndpoint().kind
	versioned, err := apiadmission.NewVersionedAttributes(r.attributes, kind, r.interfaces)
	if err != nil {
		panic(err)
	}
	compiler := celplugin.NewConditionCompiler(
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	results, _, err := compiler.CompileCondition(all,
		celplugin.OptionalVariableDeclarations{HasAuthorizer: true}, environment.StoredExpressions,
	).ForInput(context.Background(), versioned, celplugin.CreateAdmissionRequest(r.attributes,
		metav1.GroupVersionResource(r.attributes.GetResource()), metav1.GroupVersionKind(kind)),
		celplugin.OptionalVariableBindings{}, nil, math.MaxInt64)
	if err != nil {
		panic(err)
	}
	for _, result := range results {
		if result.Error == nil {
			fitting = append(fitting,
				registrationv1.MatchCondition(*result.ExpressionAccessor.(*matchconditions.MatchCondition)))
		}
	}
	return fitting
}
