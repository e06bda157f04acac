package portforward

import (
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// unavailableError says that the cluster has nothing that answers, or that it is too slow.
type unavailableError struct{ reason string }

// Error returns the reason.
func (e *unavailableError) Error() string { return e.reason }

// isAccess reports whether an error is about the way to the cluster, and not about what is
// there.
func isAccess(err error) bool {
	var unavailable *unavailableError
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &unavailable):
		return false
	case errors.As(err, &status):
		return apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) ||
			apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
	}
	return true
}

// longest is how long the text of an error may be, which others write.
const longest = 1000

// oneLine returns a text without line breaks, cut to what an error may have.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
