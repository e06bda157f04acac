package merge

import (
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// ParseType parses a type of patch: json, merge or strategic, as for kubectl
// patch --type, or a media type, whose parameters are ignored. The error lists
// the names.
func ParseType(text string) (types.PatchType, error) {
	media, _, _ := strings.Cut(text, ";")
	switch t := types.PatchType(media); t {
	case types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType:
		return t, nil
	}
	switch text {
	case "json":
		return types.JSONPatchType, nil
	case "merge":
		return types.MergePatchType, nil
	case "strategic":
		return types.StrategicMergePatchType, nil
	}
	return "", fmt.Errorf("unknown patch type %q: want json, merge, strategic, or one of their media types", text)
}

// accepted returns the media types that an endpoint takes, in kube-apiserver's
// order. A strategic patch needs a Go type, which custom objects do not have.
func accepted(custom bool) []string {
	all := []string{string(types.JSONPatchType), string(types.MergePatchType)}
	if !custom {
		all = append(all, string(types.StrategicMergePatchType))
	}
	return append(all, string(types.ApplyYAMLPatchType))
}

// unsupported returns the error for a type of patch that the endpoint does not
// take.
func unsupported(custom bool) error {
	const text = "the body of the request was in an unknown format - accepted media types include: "
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusUnsupportedMediaType,
		Reason:  metav1.StatusReasonUnsupportedMediaType,
		Message: text + strings.Join(accepted(custom), ", "),
	}}
}

// isCustom reports whether an object is one of a custom kind.
func isCustom(object runtime.Object) bool {
	_, custom := object.(runtime.Unstructured)
	return custom
}
