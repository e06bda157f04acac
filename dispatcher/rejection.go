package dispatcher

import (
	"fmt"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission/limits"
)

// maxCode is the largest code with which a request is denied.
const maxCode = 599

// rejection is a webhook's reason for saying no as the status that the client
// receives: a failure, with the webhook's name in front, and with a code of at
// least 400 (S-230, S-231). result may be nil; it is not modified.
//
// kube-apiserver sets no upper bound to the code and panics in net/http when it
// writes one of four digits; here it is 599. Texts are cut to a size, and
// causes to a number. All else passes unchanged, also how long a client is told
// to wait.
func rejection(webhook string, result *metav1.Status, l *limits.Limits) *apierrors.StatusError {
	status := metav1.Status{Status: metav1.StatusFailure}
	if result != nil {
		status = *result
	}
	status.Code = min(max(status.Code, http.StatusBadRequest), maxCode)
	if status.Status == "" || status.Status == metav1.StatusSuccess {
		status.Status = metav1.StatusFailure
	}
	for _, text := range []*string{
		&status.Kind, &status.APIVersion, &status.Status, (*string)(&status.Reason),
		//lint:ignore SA1019 A webhook may set it.
		&status.SelfLink, &status.ResourceVersion, &status.Continue,
	} {
		*text = limits.Cut(*text, l.Message)
	}
	status.Details = bounded(status.Details, l)
	denied := fmt.Sprintf("admission webhook %q denied the request", webhook)
	switch {
	case status.Message != "":
		status.Message = denied + ": " + limits.Cut(status.Message, l.Message)
	case status.Reason != "":
		status.Message = denied + ": " + string(status.Reason)
	default:
		status.Message = denied + " without explanation"
	}
	return &apierrors.StatusError{ErrStatus: status}
}

// bounded returns details whose texts and causes are within the limits.
func bounded(details *metav1.StatusDetails, l *limits.Limits) *metav1.StatusDetails {
	if details == nil {
		return nil
	}
	d := *details
	d.Causes = slices.Clone(d.Causes[:min(len(d.Causes), l.Causes)])
	for i := range d.Causes {
		c := &d.Causes[i]
		c.Type = metav1.CauseType(limits.Cut(string(c.Type), l.Message))
		c.Message, c.Field = limits.Cut(c.Message, l.Message), limits.Cut(c.Field, l.Message)
	}
	d.Name, d.Group = limits.Cut(d.Name, l.Message), limits.Cut(d.Group, l.Message)
	d.Kind = limits.Cut(d.Kind, l.Message)
	d.UID = types.UID(limits.Cut(string(d.UID), l.Message))
	return &d
}
