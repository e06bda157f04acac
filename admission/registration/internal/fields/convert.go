package fields

import (
	"encoding/json"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ConvertType returns the type of the v1 form of an object. It leaves the type of
// an object empty that has none, as objects from informers do.
func ConvertType(t metav1.TypeMeta) metav1.TypeMeta {
	if t.APIVersion != "" {
		t.APIVersion = registrationv1.SchemeGroupVersion.String()
	}
	return t
}

// ViaJSON returns a part of an object of one version as that of another. Both
// have the same JSON, and no value of their fields fails to be encoded or
// decoded.
func ViaJSON[T any](part any) (converted T) {
	if text, err := json.Marshal(part); err == nil {
		_ = json.Unmarshal(text, &converted)
	}
	return converted
}
