package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// promised is an outcome in the making.
type promised struct {
	Outcome
	*Promise
	Combination
	mutated bool // whether the webhook's annotation says so
}

func (o *promised) deny(code int, reason, message string) {
	o.Verdict, o.Code, o.Outcome.Reason, o.Outcome.Message = Denied, code, reason, message
	o.Outcome.Details = o.Promise.Details
	if cause, ok := strings.CutPrefix(
		message,
		"Internal error occurred: ",
	); ok &&
		o.Outcome.Details == "" {
		o.Outcome.Details = shorten(
			encoded(metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: cause}}}))
	}
}

// attempted adds what the mutating phase records for every webhook that it
// tries to call.
func (o *promised) attempted() {
	if o.Phase == Mutating {
		o.annotate(
			o.prefix(),
			fmt.Sprintf(
				`{"configuration":%q,"webhook":%q,"mutated":%t}`,
				configurationName,
				webhookName,
				o.mutated,
			),
		)
	}
}

// prefix is what the phase's annotations are called.
func (o *promised) prefix() string {
	if o.Phase == Mutating {
		return "mutation.webhook.admission.k8s.io/round_0_index_0"
	}
	return "validating.webhook.admission.k8s.io/round_0_index_0"
}

func (o *promised) annotate(key, value string) {
	if o.Outcome.Annotations == nil {
		o.Outcome.Annotations = map[string]string{}
	}
	o.Outcome.Annotations[key] = value
}

// count is for a call that was made, or was to be made.
func (o *promised) count(code int, rejected bool) {
	o.add("webhook_admission_duration_seconds", "rejected", strconv.FormatBool(rejected), "type",
		o.Phase.metricType())
	o.add("webhook_request_total", "code", strconv.Itoa(code), "rejected",
		strconv.FormatBool(rejected), "type", o.Phase.metricType())
}

func (o *promised) reject(kind string, code int) {
	o.add("webhook_rejection_count", "error_type", kind, "rejection_code", strconv.Itoa(code), "type",
		o.Phase.metricType())
}

// add adds a series that has the value 1. Labels are sorted.
func (o *promised) add(family string, labels ...string) {
	var list []string
	for pair := range slices.Chunk(labels, 2) {
		list = append(list, fmt.Sprintf("%s=%s", pair[0], pair[1]))
	}
	o.Outcome.Metrics = append(o.Outcome.Metrics,
		fmt.Sprintf("%s{%s} 1", family, strings.Join(list, ",")))
	slices.Sort(o.Outcome.Metrics)
}

// addOwn adds the fields of the promise itself.
func (o *promised) addOwn() {
	if o.Promise.Calls != nil {
		o.Outcome.Calls = *o.Promise.Calls
	}
	o.Outcome.Connections = anyNumber
	if o.Promise.Connections != nil {
		o.Outcome.Connections = *o.Promise.Connections
	}
	o.Outcome.Object, o.Outcome.Took = o.Promise.Object, o.Promise.Took.Duration
	o.Outcome.Elsewhere, o.Outcome.Credentials, o.Outcome.Warnings = o.Promise.Elsewhere, o.Promise.Credentials, o.Promise.Warnings
	o.Outcome.Problems = o.Promise.Problems
	if o.Promise.Patch != "" {
		o.annotate("patch.webhook.admission.k8s.io/round_0_index_0", shorten(fmt.Sprintf(
			`{"configuration":%q,"webhook":%q,"patch":%s,"patchType":"JSONPatch"}`,
			configurationName,
			webhookName,
			o.Promise.Patch,
		)))
	}
	for key, value := range o.Promise.Annotations {
		o.annotate(key, value)
	}
	if o.Instead != nil {
		o.Outcome.Metrics, o.Outcome.Annotations = o.Instead.Metrics, o.Instead.Annotations
	}
}
