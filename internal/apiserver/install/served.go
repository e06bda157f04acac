package install

import (
	"context"
	"encoding/base64"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/cert"
)

// waitServed returns when clients can use custom resources of a definition:
// when the definition is established and discovery lists all served versions.
func (a *applier) waitServed(
	ctx context.Context, definitions dynamic.ResourceInterface, definition *unstructured.Unstructured,
) error {
	err := poll(ctx, func(ctx context.Context) (bool, error) {
		current, err := definitions.Get(ctx, definition.GetName(), metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return established(current)
	})
	if err != nil {
		return err
	}
	return poll(ctx, func(context.Context) (bool, error) { return a.listed(definition) })
}

// established reads the conditions of a definition. It fails if the names are
// taken by another definition or the caBundle is invalid, which only
// conditions report.
func established(definition *unstructured.Unstructured) (bool, error) {
	conditions, _, _ := unstructured.NestedSlice(definition.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		switch {
		case condition["type"] == "NamesAccepted" && condition["status"] == "False":
			return false, fmt.Errorf("its names are not accepted: %v", condition["message"])
		case condition["type"] == "Established" && condition["status"] == "True":
			return true, nil
		case condition["reason"] == "InvalidCABundle" && !validBundle(conversionBundle(definition)):
			return false, fmt.Errorf("it is not established: %v", condition["message"])
		}
	}
	return false, nil
}

// conversionBundle returns the caBundle of the conversion webhook.
func conversionBundle(definition *unstructured.Unstructured) string {
	bundle, _, _ := unstructured.NestedString(
		definition.Object, "spec", "conversion", "webhook", "clientConfig", "caBundle")
	return bundle
}

// validBundle reports whether a caBundle has valid certificates. A condition
// InvalidCABundle may be about an earlier version of the definition.
func validBundle(bundle string) bool {
	text, err := base64.StdEncoding.DecodeString(bundle)
	if err != nil {
		return false
	}
	_, err = cert.ParseCertsPEM(text)
	return len(text) == 0 || err == nil
}

// listed reports whether discovery lists all served versions of a definition.
func (a *applier) listed(definition *unstructured.Unstructured) (bool, error) {
	kind := definedKind(definition)
	a.mapper.Reset()
	for _, version := range servedVersions(definition) {
		_, err := a.mapper.RESTMapping(kind, version)
		if meta.IsNoMatchError(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// poll calls condition until it returns true or an error, or ctx ends.
func poll(ctx context.Context, condition wait.ConditionWithContextFunc) error {
	err := wait.PollUntilContextCancel(ctx, pollInterval, true, condition)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
