package install

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/cert"
)

// awaitServed returns when custom resources of a definition can be used: when the
// server says so, and then when it lists them.
func (a *applier) awaitServed(ctx context.Context, definitions dynamic.ResourceInterface, definition *unstructured.Unstructured) error {
	err := poll(ctx, func() (bool, error) {
		current, err := definitions.Get(ctx, definition.GetName(), metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return established(current)
	})
	if err != nil {
		return err
	}
	return poll(ctx, func() (bool, error) { return a.listed(definition) })
}

// established reads the conditions of a definition. Names that others have, and a
// caBundle that is none, are the mistakes that only show there.
func established(definition *unstructured.Unstructured) (bool, error) {
	conditions, _, _ := unstructured.NestedSlice(definition.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		switch {
		case condition["type"] == "NamesAccepted" && condition["status"] == "False":
			return false, fmt.Errorf("its names are not accepted: %v", condition["message"])
		case condition["type"] == "Established" && condition["status"] == "True":
			return true, nil
		case condition["reason"] == "InvalidCABundle" && !sound(bundleOf(definition)):
			return false, fmt.Errorf("it is not established: %v", condition["message"])
		}
	}
	return false, nil
}

// bundleOf returns the caBundle of the webhook that converts.
func bundleOf(definition *unstructured.Unstructured) string {
	bundle, _, _ := unstructured.NestedString(definition.Object, "spec", "conversion", "webhook", "clientConfig", "caBundle")
	return bundle
}

// sound reports whether a caBundle is one. The condition that says no may be about the
// one that was there before.
func sound(bundle string) bool {
	text, err := base64.StdEncoding.DecodeString(bundle)
	if err != nil {
		return false
	}
	_, err = cert.ParseCertsPEM(text)
	return len(text) == 0 || err == nil
}

// listed looks for all served versions of a definition among what the server lists.
func (a *applier) listed(definition *unstructured.Unstructured) (bool, error) {
	group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
	versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
	a.mapper.Reset()
	for _, v := range versions {
		version, _ := v.(map[string]any)
		name, _ := version["name"].(string)
		if version["served"] != true {
			continue
		}
		_, err := a.mapper.RESTMapping(schema.GroupKind{Group: group, Kind: kind}, name)
		if meta.IsNoMatchError(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// poll asks until the answer is yes, or an error, or ctx ends.
func poll(ctx context.Context, ask func() (bool, error)) error {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		yes, err := ask()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case yes || err != nil:
			return err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
}
