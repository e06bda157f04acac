package fault

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// The webhook that fails, and its configuration.
const (
	webhookName       = "hook.example.com"
	configurationName = "cfg"
)

// classes says what the letters mean: what clients see, what is counted, and what
// is annotated. n is the number after the letter.
func classes() map[string]func(*promised, int) {
	return map[string]func(*promised, int){
		"A":  (*promised).allowed,   // allowed
		"A+": (*promised).changed,   // allowed, and the object was changed
		"R":  (*promised).rejected,  // the webhook denied with code n
		"C":  (*promised).failed,    // the call failed; n is the code that is counted
		"I":  (*promised).internal,  // the answer could not be applied
		"I*": (*promised).unwritten, // the object could not be written back, after the call was counted
		"B":  (*promised).dryRun,    // the webhook does not support dry run
		"N":  (*promised).uncalled,  // denied with code n before any webhook was called
		"S":  (*promised).skipped,   // allowed, and the webhook was not called
		"P":  (*promised).panicked,  // a panic left the plugin
		"H":  (*promised).hung,      // did not return
	}
}

// promised is an outcome in the making.
type promised struct {
	Outcome
	*Promise
	Combination
}

// Outcome spells a promise out for a combination. The error says that there is no
// such class.
func (p *Promise) Outcome(c Combination) (Outcome, error) {
	letters := strings.TrimRight(p.Class, "0123456789")
	make, ok := classes()[letters]
	n, err := strconv.Atoi("0" + p.Class[len(letters):])
	if !ok || err != nil {
		return Outcome{}, fmt.Errorf("there is no class %q", p.Class)
	}
	o := promised{Promise: p, Combination: c}
	o.Outcome.Calls = 1
	make(&o, n)
	o.addOwn()
	return o.Outcome, nil
}

func (o *promised) allowed(int) {
	o.Verdict = Allowed
	o.attempted()
	o.count(http.StatusOK, false)
}

func (o *promised) changed(n int) {
	o.allowed(n)
	o.Changed = true
	o.attempted()
}

func (o *promised) rejected(n int) {
	text := fmt.Sprintf("admission webhook %q denied the request", webhookName)
	if o.Promise.Message == "" {
		text += " without explanation"
	} else {
		text += ": " + o.Promise.Message
	}
	o.deny(n, o.Promise.Reason, text)
	o.attempted()
	label := min(n, 600)
	o.count(label, true)
	o.reject("no_error", label)
}

func (o *promised) failed(n int) {
	o.attempted()
	if o.Policy == registrationv1.Ignore {
		o.Verdict = Allowed
		o.annotate("failed-open."+o.prefix(), webhookName)
		o.count(n, false)
		o.add("webhook_fail_open_count", "type", o.Phase.metricType())
		return
	}
	o.deny(http.StatusInternalServerError, "InternalError",
		fmt.Sprintf("Internal error occurred: failed calling webhook %q: %s", webhookName, o.Promise.Message))
	o.count(n, true)
	o.reject("calling_webhook_error", n)
}

func (o *promised) internal(int) {
	o.deny(http.StatusInternalServerError, "InternalError", "Internal error occurred: "+o.Promise.Message)
	o.attempted()
	o.count(0, true)
	o.reject("apiserver_internal_error", 0)
}

func (o *promised) unwritten(int) {
	o.changed(0)
	o.Changed = false
	o.Verdict, o.Outcome.Message = Failed, o.Promise.Message
}

func (o *promised) dryRun(int) {
	o.deny(http.StatusBadRequest, "BadRequest", fmt.Sprintf("admission webhook %q does not support dry run", webhookName))
	o.attempted()
	o.Outcome.Calls = 0
	o.count(0, true)
	o.reject("apiserver_internal_error", 0)
}

func (o *promised) uncalled(n int) {
	o.deny(n, o.Promise.Reason, o.Promise.Message)
	o.Outcome.Calls = 0
}

func (o *promised) skipped(int) {
	o.Verdict = Allowed
	o.Outcome.Calls = 0
}

func (o *promised) panicked(int) {
	o.Verdict, o.Outcome.Message = Panicked, o.Promise.Message
	o.attempted()
}

func (o *promised) hung(int) { o.Verdict = Hung }

func (o *promised) deny(code int, reason, message string) {
	o.Verdict, o.Code, o.Outcome.Reason, o.Outcome.Message = Denied, code, reason, message
}

// attempted writes what the mutating phase notes about every webhook that it
// tries to call.
func (o *promised) attempted() {
	if o.Phase == Mutating {
		o.annotate(o.prefix(), fmt.Sprintf(`{"configuration":%q,"webhook":%q,"mutated":%t}`, configurationName, webhookName, o.Changed))
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
	o.add("webhook_admission_duration_seconds", "rejected", strconv.FormatBool(rejected), "type", o.Phase.metricType())
	o.add("webhook_request_total", "code", strconv.Itoa(code), "rejected", strconv.FormatBool(rejected), "type", o.Phase.metricType())
}

func (o *promised) reject(kind string, code int) {
	o.add("webhook_rejection_count", "error_type", kind, "rejection_code", strconv.Itoa(code), "type", o.Phase.metricType())
}

// add adds a series that has the value 1. Labels are sorted.
func (o *promised) add(family string, labels ...string) {
	var list []string
	for pair := range slices.Chunk(labels, 2) {
		list = append(list, fmt.Sprintf("%s=%s", pair[0], pair[1]))
	}
	o.Outcome.Metrics = append(o.Outcome.Metrics, fmt.Sprintf("%s{%s} 1", family, strings.Join(list, ",")))
	slices.Sort(o.Outcome.Metrics)
}

// addOwn adds what the promise says itself.
func (o *promised) addOwn() {
	if o.Promise.Calls != nil {
		o.Outcome.Calls = *o.Promise.Calls
	}
	o.Outcome.Elsewhere, o.Outcome.Credentials, o.Outcome.Warnings = o.Promise.Elsewhere, o.Promise.Credentials, o.Promise.Warnings
	if o.Promise.Patch != "" {
		o.annotate("patch.webhook.admission.k8s.io/round_0_index_0", shorten(fmt.Sprintf(
			`{"configuration":%q,"webhook":%q,"patch":%s,"patchType":"JSONPatch"}`, configurationName, webhookName, o.Promise.Patch)))
	}
	for key, value := range o.Promise.Annotations {
		o.annotate(key, value)
	}
	if o.Instead != nil {
		o.Outcome.Metrics, o.Outcome.Annotations = o.Instead.Metrics, o.Instead.Annotations
	}
}
