package history

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/auditlog"
)

// isStatus reports whether a response body is a Status and not an object.
func isStatus(object json.RawMessage) bool {
	return auditlog.KindOf(object) == schema.GroupVersionKind{Version: "v1", Kind: "Status"}
}

// requestKind returns the kind of the object of an event; without one if the log does not
// have it. explain then hides data, because the object may be a Secret.
func requestKind(e *auditlog.Event, s stored) metav1.GroupVersionKind {
	if e.IsSecret() {
		return metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}
	}
	for _, body := range []json.RawMessage{e.RequestObject, e.ResponseObject} {
		if kind := auditlog.KindOf(body); kind.Kind != "" && !isStatus(body) {
			return metav1.GroupVersionKind(kind)
		}
	}
	return metav1.GroupVersionKind(s.kind)
}
