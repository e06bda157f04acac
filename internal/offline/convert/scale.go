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
	"k8s.io/apimachinery/pkg/runtime/schema"
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
			doubled(appsv1beta2.SchemeGroupVersion, func(s *appsv1beta2.Scale) (*string, *map[string]string) {
				return &s.Status.TargetSelector, &s.Status.Selector
			}),
			doubled(appsv1beta1.SchemeGroupVersion, func(s *appsv1beta1.Scale) (*string, *map[string]string) {
				return &s.Status.TargetSelector, &s.Status.Selector
			}),
			doubled(extensionsv1beta1.SchemeGroupVersion, func(s *extensionsv1beta1.Scale) (*string, *map[string]string) {
				return &s.Status.TargetSelector, &s.Status.Selector
			}),
		},
	}}
}

// doubled is a version that has the selector twice, in fields that only the caller
// can name: as text and as a map.
func doubled[V runtime.Object](gv schema.GroupVersion, selector func(V) (text *string, set *map[string]string)) version {
	toHub := func(from V, hub *autoscalingv1.Scale) error {
		text, set := selector(from)
		hub.Status.Selector = selectorText(*text, *set)
		return nil
	}
	fromHub := func(hub *autoscalingv1.Scale, to V) (err error) {
		text, set := selector(to)
		*text = hub.Status.Selector
		*set, err = selectorMap(*text)
		return err
	}
	return special(gv, toHub, fromHub).but(".status.selector", ".status.targetSelector")
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
