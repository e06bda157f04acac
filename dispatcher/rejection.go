package dispatcher

import (
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/limits"
)

// maxCode is the largest code with which a request is denied.
const maxCode = 599

// rejection is a webhook's reason for saying no as the status that the client
// receives: a failure, with the webhook's name in front, and with a code of at
// least 400 (S-230, S-231). result may be nil; it is not modified.
//
// kube-apiserver sets no upper bound to the code and panics in net/http when it
// writes one of four digits; here it is 599. Reason and message are cut to a
// size. All else passes unchanged, also how long a client is told to wait.
func rejection(webhook string, result *metav1.Status, size int) *apierrors.StatusError {
	status := metav1.Status{Status: metav1.StatusFailure}
	if result != nil {
		status = *result
	}
	status.Code = min(max(status.Code, http.StatusBadRequest), maxCode)
	if status.Status == "" || status.Status == metav1.StatusSuccess {
		status.Status = metav1.StatusFailure
	}
	status.Reason = metav1.StatusReason(limits.Cut(string(status.Reason), size))
	denied := fmt.Sprintf("admission webhook %q denied the request", webhook)
	switch {
	case status.Message != "":
		status.Message = denied + ": " + limits.Cut(status.Message, size)
	case status.Reason != "":
		status.Message = denied + ": " + string(status.Reason)
	default:
		status.Message = denied + " without explanation"
	}
	return &apierrors.StatusError{ErrStatus: status}
}
