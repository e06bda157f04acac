package convert

import (
	"fmt"

	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// scales are the bodies of the subresource scale (S-123). autoscaling/v1 has the
// selector as text. The others have it twice: as text, and as a map if it can
// be one.
func scales() []family {
	return []family{{
		kind: "Scale",
		hub:  func() runtime.Object { return &autoscalingv1.Scale{} },
		versions: []version{
			same(autoscalingv1.SchemeGroupVersion, (*autoscalingv1.Scale)(nil)),
			special(appsv1beta2.SchemeGroupVersion,
				func(from *appsv1beta2.Scale, hub *autoscalingv1.Scale) error {
					hub.Status.Selector = selectorText(from.Status.TargetSelector, from.Status.Selector)
					return nil
				},
				func(hub *autoscalingv1.Scale, to *appsv1beta2.Scale) (err error) {
					to.Status.TargetSelector = hub.Status.Selector
					to.Status.Selector, err = selectorMap(hub.Status.Selector)
					return err
				}).but(".status.selector", ".status.targetSelector"),
			special(appsv1beta1.SchemeGroupVersion,
				func(from *appsv1beta1.Scale, hub *autoscalingv1.Scale) error {
					hub.Status.Selector = selectorText(from.Status.TargetSelector, from.Status.Selector)
					return nil
				},
				func(hub *autoscalingv1.Scale, to *appsv1beta1.Scale) (err error) {
					to.Status.TargetSelector = hub.Status.Selector
					to.Status.Selector, err = selectorMap(hub.Status.Selector)
					return err
				}).but(".status.selector", ".status.targetSelector"),
			special(extensionsv1beta1.SchemeGroupVersion,
				func(from *extensionsv1beta1.Scale, hub *autoscalingv1.Scale) error {
					hub.Status.Selector = selectorText(from.Status.TargetSelector, from.Status.Selector)
					return nil
				},
				func(hub *autoscalingv1.Scale, to *extensionsv1beta1.Scale) (err error) {
					to.Status.TargetSelector = hub.Status.Selector
					to.Status.Selector, err = selectorMap(hub.Status.Selector)
					return err
				}).but(".status.selector", ".status.targetSelector"),
		},
	}}
}

// selectorText prefers the text, which can say more.
func selectorText(text string, set map[string]string) string {
	if text != "" {
		return text
	}
	return labels.SelectorFromSet(set).String()
}

// selectorMap returns nil for a selector with requirements that a map of labels
// cannot express.
func selectorMap(text string) (map[string]string, error) {
	selector, err := metav1.ParseToLabelSelector(text)
	if err != nil {
		return nil, fmt.Errorf("reading status.selector: %w", err)
	}
	if len(selector.MatchExpressions) > 0 {
		return nil, nil
	}
	return selector.MatchLabels, nil
}
