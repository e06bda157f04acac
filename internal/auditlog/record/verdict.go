package record

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/internal/auditlog"
)

// The messages of requests that admission denied.
var (
	// rejected are those that a webhook denied, with its name and message.
	rejected = regexp.MustCompile(
		`^admission webhook "([^"]+)" denied the request(?:: (?s:(.*))| without explanation)$`)
	// failedClosed are those that ended because a call failed, with its error and the name.
	failedClosed = regexp.MustCompile(
		`^Internal error occurred: (?s:(failed calling webhook "([^"]+)": .*))$`)
	// noDryRun are those of a webhook that does not support dry runs.
	noDryRun = regexp.MustCompile(`^admission webhook "([^"]+)" does not support dry run$`)
	// byPolicy are those that a policy denied.
	byPolicy = regexp.MustCompile(`(?:ValidatingAdmissionPolicy|policy) ['"][^'"]+['"]` +
		`(?: with binding '[^']+')? denied request: `)
)

// undecided returns why the verdict of admission on a request is not known; empty if it is.
func undecided(e *auditlog.Event) Reason {
	switch {
	case e.Code == 0:
		return NoResponse
	case !e.Failed(), deniedByAdmission(e.Message):
		return ""
	}
	switch e.Code {
	case http.StatusUnauthorized:
		return Unauthorized
	case http.StatusForbidden:
		if strings.Contains(e.Message, `User "`) && strings.Contains(e.Message, `" cannot `) {
			return Unauthorized
		}
		return OtherRefusal
	case http.StatusConflict, http.StatusNotFound, http.StatusGone:
		return Conflict
	case http.StatusTooManyRequests:
		return ServerError
	}
	if e.Code >= http.StatusInternalServerError {
		return ServerError
	}
	return NotValid
}

func deniedByAdmission(message string) bool {
	return rejected.MatchString(message) || failedClosed.MatchString(message) ||
		noDryRun.MatchString(message) || byPolicy.MatchString(message)
}

// unlogged returns why the bodies of a request are not in the log; empty if they can be.
func unlogged(e *auditlog.Event) Reason {
	switch {
	case e.Truncated:
		return Truncated
	case e.Level == auditv1.LevelMetadata:
		return Metadata
	}
	return ""
}

// status returns the error that the client received; nil if the request was allowed. Without
// the answer it has the code and the message only.
func status(e *auditlog.Event) *metav1.Status {
	if !e.Failed() {
		return nil
	}
	status := &metav1.Status{}
	if auditlog.KindOf(e.ResponseObject).Kind != "Status" ||
		json.Unmarshal(e.ResponseObject, status) != nil {
		status = &metav1.Status{}
	}
	status.TypeMeta = metav1.TypeMeta{}
	status.Status, status.Code, status.Message = metav1.StatusFailure, int32(e.Code), e.Message
	return status
}
