package model

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/test/internal/soak/request"
)

// Review is what webhooks read of a review's request. They report it, so that
// an outcome shows it.
type Review struct {
	UID         types.UID `json:"uid"`
	Name        string    `json:"name"`
	Namespace   string    `json:"namespace"`
	Operation   string    `json:"operation"`
	SubResource string    `json:"subResource"`
	DryRun      bool      `json:"dryRun"`
	Resource    struct {
		Version  string `json:"version"`
		Resource string `json:"resource"`
	} `json:"resource"`
	Object    *Content `json:"object"`
	OldObject *Content `json:"oldObject"`
}

// Content is what webhooks read of an object.
type Content struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		Number *int64 `json:"number"`
		Count  *int64 `json:"count"`
	} `json:"spec"`
	Container string `json:"container"`
}

// text names the object and its version, of which fields tell, too.
func (c *Content) text() string {
	if c == nil {
		return "null"
	}
	text := c.Kind + " " + c.APIVersion + " " + c.Metadata.Labels[request.NumberLabel]
	if c.Spec.Number != nil {
		text += " number " + strconv.FormatInt(*c.Spec.Number, 10)
	}
	if c.Spec.Count != nil {
		text += " count " + strconv.FormatInt(*c.Spec.Count, 10)
	}
	return text
}

// text is how webhooks report the review.
func (v *Review) text() string {
	resource := v.Resource.Resource
	if v.SubResource != "" {
		resource += "/" + v.SubResource
	}
	return report(v.Operation, v.Namespace, resource, v.Resource.Version, v.Object.text(),
		v.OldObject.text(), v.DryRun)
}

func report(operation, namespace, resource, version, object, old string, dry bool) string {
	text := fmt.Sprintf("%s %s %s %s [%s] [%s]", operation, namespace, resource, version, object, old)
	if dry {
		text += " dry run"
	}
	return text
}

// report is what a webhook reports that gets the request in a version.
func (r Request) report(version string) string {
	object, old := r.text(version, strconv.FormatInt(r.Number, 10)), "null"
	switch r.Operation {
	case apiadmission.Update:
		old = r.text(version, oldNumber(r.Number))
	case apiadmission.Delete:
		object, old = "null", r.text(version, oldNumber(r.Number))
	}
	return report(string(r.Operation), r.Namespace, r.Resource, version, object, old, r.DryRun)
}

// text is that of an object of the request, with the number that is its label.
func (r Request) text(version, label string) string {
	switch r.Resource {
	case Pods:
		return "Pod v1 " + label
	case PodExec:
		return "PodExecOptions v1 "
	default:
		field := map[string]string{"v1": "number", request.WidgetV2: "count"}[version]
		return fmt.Sprintf("Widget %s/%s %s %s %d", request.Group, version, label, field, r.Number)
	}
}

// oldNumber is the number that labels the old object of a request.
func oldNumber(n int64) string { return "old-" + strconv.FormatInt(n, 10) }

// shape is what Shape is to return after the request.
func (r Request) shape() string {
	if r.Operation == apiadmission.Delete {
		return "null"
	}
	return r.text(r.Version, strconv.FormatInt(r.Number, 10))
}

// Shape names the object of a request, and its version, as a webhook would
// report it.
func Shape(a apiadmission.Attributes) string {
	var c *Content
	switch object := a.GetObject().(type) {
	case *corev1.Pod:
		c = &Content{APIVersion: "v1", Kind: "Pod"}
		c.Metadata.Labels = object.Labels
	case *corev1.PodExecOptions:
		c = &Content{APIVersion: "v1", Kind: "PodExecOptions"}
	case *unstructured.Unstructured:
		c = &Content{APIVersion: object.GetAPIVersion(), Kind: object.GetKind()}
		c.Metadata.Labels = object.GetLabels()
		c.Spec.Number = fieldOf(object, "number")
		c.Spec.Count = fieldOf(object, "count")
	}
	return c.text()
}

func fieldOf(object *unstructured.Unstructured, name string) *int64 {
	if number, ok, err := unstructured.NestedInt64(object.Object, "spec", name); ok && err == nil {
		return &number
	}
	return nil
}
