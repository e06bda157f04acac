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
	// Shape is that of the object.
	Shape string
}

// Observe returns the outcome. An inconsistent observation has a verdict that
// the model never predicts.
func Observe(o Observed) Outcome {
	outcome := Outcome{Verdict: verdictOf(o.Err), Shape: o.Shape}
	for _, a := range o.Annotations {
		outcome.note(a)
	}
	slices.Sort(outcome.Revisions)
	slices.Sort(outcome.FailedOpen)
	labels := map[string]string{}
	for name, value := range o.Labels {
		if name != request.NumberLabel && !strings.HasPrefix(name, prefix) {
			labels[name] = value
		}
	}
	outcome.Labels = sorted(labels)
	return outcome
}

// note adds what an annotation says.
func (o *Outcome) note(a request.Annotation) {
	name, key, _ := strings.Cut(a.Key, "/")
	second := strings.HasPrefix(key, "round_1_index_")
	switch round := second || strings.HasPrefix(key, "round_0_index_"); {
	case round && strings.HasPrefix(name, "mutation."):
		o.Calls = append(o.Calls, callIn(second, mutation(a.Value)))
	case round && strings.HasPrefix(name, "failed-open."):
		o.FailedOpen = append(o.FailedOpen, a.Value)
	case round && strings.HasPrefix(name, "patch."):
	case strings.HasPrefix(key, revisionKey):
		revision := strings.TrimPrefix(key, revisionKey)
		o.Revisions = append(o.Revisions, answered(name, revision, a.Value))
	default:
		o.Verdict = fmt.Sprintf("unknown annotation %s=%s", a.Key, a.Value)
	}
}

// callIn is how an outcome shows a call in one of the two rounds.
func callIn(second bool, webhook string) string {
	if second {
		return webhook + " again"
	}
	return webhook
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
	denial     = regexp.MustCompile(`^admission webhook "([^"]+)" denied the request`)
	failure    = regexp.MustCompile(`failed calling webhook "([^"]+)"`)
	refusal    = regexp.MustCompile(`^admission webhook "([^"]+)" does not support dry run`)
	evaluation = regexp.MustCompile(
		`is forbidden: expression '"([^"]+)" .* resulted in error: no such key: ` + conditionLabel + `$`)
	policyDenial = regexp.MustCompile(`ValidatingAdmissionPolicy 'soak' .* denied request`)
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
	code, text := status.Status().Code, status.Status().Message
	for _, known := range []struct {
		code    int32 // 0 is any
		text    *regexp.Regexp
		verdict func(string) string
	}{
		{0, denial, deniedBy}, {500, failure, failedAt}, {400, refusal, refusedBy},
		{403, evaluation, unevaluatedAt},
	} {
		found := known.text.FindStringSubmatch(text)
		if found != nil && (known.code == 0 || known.code == code) {
			return known.verdict(found[1])
		}
	}
	switch {
	case code == 500:
		return internal
	case code == 422 && policyDenial.MatchString(text):
		return deniedByPolicy
	default:
		return fmt.Sprintf("%d: %s", code, text)
	}
}
