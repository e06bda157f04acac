package convert

import (
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// policies are the kinds of the group policy. In v1beta1 the empty selector of a
// PodDisruptionBudget selects no pod, and in v1 all. Each version has another
// selector for what its own empty one does not say.
func policies() []family {
	return []family{
		{kind: "PodDisruptionBudget", resource: "poddisruptionbudgets", versions: []version{
			settled(same(policyv1.SchemeGroupVersion, (*policyv1.PodDisruptionBudget)(nil)),
				func(hub *policyv1.PodDisruptionBudget) {
					if !isNone(hub.Spec.Selector) {
						dropMarker(hub.Spec.Selector)
					}
				}),
			special(policyv1beta1.SchemeGroupVersion, budgetFromBeta, budgetToBeta),
		}, hub: func() runtime.Object { return &policyv1.PodDisruptionBudget{} }},
		{kind: "Eviction", versions: []version{
			same(policyv1.SchemeGroupVersion, (*policyv1.Eviction)(nil)),
			same(policyv1beta1.SchemeGroupVersion, (*policyv1beta1.Eviction)(nil)),
		}, hub: func() runtime.Object { return &policyv1.Eviction{} }},
	}
}

func budgetFromBeta(_ *policyv1beta1.PodDisruptionBudget, hub *policyv1.PodDisruptionBudget) error {
	switch {
	case isEmpty(hub.Spec.Selector):
		hub.Spec.Selector = marker(metav1.LabelSelectorOpExists)
	case isAll(hub.Spec.Selector):
		hub.Spec.Selector = &metav1.LabelSelector{}
	default:
		dropMarker(hub.Spec.Selector)
	}
	return nil
}

func budgetToBeta(_ *policyv1.PodDisruptionBudget, to *policyv1beta1.PodDisruptionBudget) error {
	switch {
	case isNone(to.Spec.Selector):
		to.Spec.Selector = &metav1.LabelSelector{}
	case isEmpty(to.Spec.Selector):
		to.Spec.Selector = marker(metav1.LabelSelectorOpDoesNotExist)
	}
	return nil
}

// markerKey is a label that no pod has.
const markerKey = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match"

// marker is a selector that selects no pod, or every pod.
func marker(operator metav1.LabelSelectorOperator) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: markerKey, Operator: operator}}}
}

func isEmpty(s *metav1.LabelSelector) bool {
	return equality.Semantic.DeepEqual(s, &metav1.LabelSelector{})
}

// isNone tells what in v1 selects no pod.
func isNone(s *metav1.LabelSelector) bool {
	return equality.Semantic.DeepEqual(s, marker(metav1.LabelSelectorOpExists))
}

// isAll tells what in v1beta1 selects every pod.
func isAll(s *metav1.LabelSelector) bool {
	return equality.Semantic.DeepEqual(s, marker(metav1.LabelSelectorOpDoesNotExist))
}

// dropMarker removes the marker from a selector that says something else, too.
func dropMarker(s *metav1.LabelSelector) {
	if s == nil {
		return
	}
	var kept []metav1.LabelSelectorRequirement
	for _, r := range s.MatchExpressions {
		if r.Key != markerKey {
			kept = append(kept, r)
		}
	}
	s.MatchExpressions = kept
}
