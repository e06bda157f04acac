package kinds

import (
	"fmt"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// customScale reads the scale of a custom object at the paths of its
// definition. Only the replicas of the spec are required.
func customScale(
	object *unstructured.Unstructured, paths *apiextensionsv1.CustomResourceSubresourceScale,
) (*autoscalingv1.Scale, error) {
	replicas, found, err := unstructured.NestedInt64(object.Object, fields(paths.SpecReplicasPath)...)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("the spec replicas field %q does not exist", paths.SpecReplicasPath)
	}
	current, _, err := unstructured.NestedInt64(object.Object, fields(paths.StatusReplicasPath)...)
	if err != nil {
		return nil, err
	}
	scale := &autoscalingv1.Scale{ObjectMeta: scaleMetadata(object)}
	scale.Spec.Replicas, scale.Status.Replicas = int32(replicas), int32(current)
	if path := paths.LabelSelectorPath; path != nil && *path != "" {
		scale.Status.Selector, _, err = unstructured.NestedString(object.Object, fields(*path)...)
	}
	return scale, err
}

// fields splits a path such as ".spec.replicas".
func fields(path string) []string {
	return strings.Split(strings.TrimPrefix(path, "."), ".")
}
