package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/test/internal/soak/request"
)

// Observed is what can be seen of a request after one phase.
type Observed struct {
	// Annotations are the audit annotations in the order in which they were
	// added.
	Annotations []request.Annotation
	Err         error
	// Labels are those of the object, which only the mutating phase changes;
	// nil after the validating one.
	Labels map[string]string
}

// Observe returns the outcome. An inconsistent observation has a verdict that
// the model never predicts.
func Observe(o Observed) Outcome {
	outcome := Outcome{Verdict: verdictOf(o.Err)}
	for _, a := range o.Annotations {
		name, key, _ := strings.Cut(a.Key, "/")
		switch {
		case strings.HasPrefix(key, "round_0_index_") && strings.HasPrefix(name, "mutation."):
			outcome.Calls = append(outcome.Calls, mutation(a.Value))
		case strings.HasPrefix(key, "round_0_index_") && strings.HasPrefix(name, "failed-open."):
			outcome.FailedOpen = append(outcome.FailedOpen, a.Value)
		case strings.HasPrefix(key, "round_0_index_") && strings.HasPrefix(name, "patch."):
		case key == revisionKey:
			outcome.Revisions = append(outcome.Revisions, name+"@"+a.Value)
		default:
			outcome.Verdict = fmt.Sprintf("unknown annotation %s=%s", a.Key, a.Value)
		}
	}
	slices.Sort(outcome.Revisions)
	slices.Sort(outcome.FailedOpen)
	labels := map[string]string{}
	for name, value := range o.Labels {
		if name != FaultLabel && name != request.NumberLabel {
			labels[name] = value
		}
	}
	outcome.Labels = sorted(labels)
	return outcome
}

// mutation returns the webhook that a mutation annotation names.
func mutation(value string) string {
	var m struct{ Configuration, Webhook string }
	if err := json.Unmarshal([]byte(value), &m); err != nil {
		return value
	}
	return m.Configuration + "/" + m.Webhook
}

var (
	denial  = regexp.MustCompile(`^admission webhook "([^"]+)" denied the request`)
	failure = regexp.MustCompile(`failed calling webhook "([^"]+)"`)
)

// verdictOf returns the webhook that denied, according to an error, and how.
func verdictOf(err error) string {
	if err == nil {
		return allowed
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return "not a status: " + err.Error()
	}
	text := status.Status().Message
	if found := denial.FindStringSubmatch(text); found != nil {
		return deniedBy(found[1])
	}
	if status.Status().Code != 500 {
		return fmt.Sprintf("%d: %s", status.Status().Code, text)
	}
	if found := failure.FindStringSubmatch(text); found != nil {
		return failedAt(found[1])
	}
	return internal
}
