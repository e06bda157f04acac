package serve_test

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// configuration is one that is changed again and again.
type configuration struct {
	history
	kind   string
	client dynamic.ResourceInterface
	server rest.Interface
	// path is how its webhook is reached, given the path.
	path func(string) map[string]any
	// cycle is what it is to do, over and over.
	cycle []doing
	// stored is its resource version, and empty while there is none.
	stored string
}

func newConfiguration(config *rest.Config, kind string, cycle []doing, path func(string) map[string]any) (*configuration, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	server, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	c := &configuration{kind: kind, server: server.RESTClient(), path: path, cycle: cycle}
	c.client = client.Resource(schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: c.plural()})
	c.add(nothing)
	return c, nil
}

func (c *configuration) plural() string { return strings.ToLower(c.kind) + "s" }

// change writes the next revision and returns its number.
func (c *configuration) change(ctx context.Context) (revision int, err error) {
	does := c.cycle[len(c.revisions)%len(c.cycle)]
	// It may be met before the answer is there.
	revision = c.add(does)
	object := c.object(does, revision)
	var written *unstructured.Unstructured
	switch {
	case does == nothing:
		c.stored = ""
		return revision, c.client.Delete(ctx, object.GetName(), metav1.DeleteOptions{})
	case c.stored == "":
		written, err = c.client.Create(ctx, object, metav1.CreateOptions{})
	default:
		object.SetResourceVersion(c.stored)
		written, err = c.client.Update(ctx, object, metav1.UpdateOptions{})
	}
	if err != nil {
		return revision, err
	}
	c.stored = written.GetResourceVersion()
	return revision, nil
}

// object is the configuration in one revision.
func (c *configuration) object(does doing, revision int) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": c.kind,
		"metadata": map[string]any{"name": "churn"},
		"webhooks": []any{map[string]any{
			"name":                    "churn.example.com",
			"clientConfig":            c.path(fmt.Sprintf("/%s/%d", does, revision)),
			"admissionReviewVersions": []any{"v1"},
			"sideEffects":             "None",
			"rules": []any{map[string]any{
				"apiGroups": []any{""}, "apiVersions": []any{"v1"}, "resources": []any{"configmaps"}, "operations": []any{"CREATE"},
			}},
		}},
	}}
}

// await waits until a resource version is in force, and records that the
// revision is.
func (c *configuration) await(ctx context.Context, revision int, version string) error {
	err := c.server.Get().AbsPath("/gatehouse/inforce", c.plural(), "churn").Param("resourceVersion", version).Do(ctx).Error()
	if err == nil {
		c.confirm(revision)
	}
	return err
}
