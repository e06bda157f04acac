package fault

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// The webhook that fails, and its configuration.
const (
	webhookName       = "hook.example.com"
	configurationName = "cfg"
)

// classes maps the letters to what clients see, what is counted, and what is
// annotated. n is the number after the letter.
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

// Outcome returns the promised outcome for a combination. It returns an error
// if there is no such class.
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
	o.mutated = true
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
		fmt.Sprintf("Internal error occurred: failed calling webhook %q: %s", webhookName,
			o.Promise.Message))
	o.count(n, true)
	o.reject("calling_webhook_error", n)
}

func (o *promised) internal(int) {
	o.deny(http.StatusInternalServerError, "InternalError",
		"Internal error occurred: "+o.Promise.Message)
	o.attempted()
	o.count(0, true)
	o.reject("apiserver_internal_error", 0)
}

func (o *promised) unwritten(int) {
	o.changed(0)
	o.Verdict, o.Outcome.Message = Failed, o.Promise.Message
}

func (o *promised) dryRun(int) {
	o.deny(http.StatusBadRequest, "BadRequest",
		fmt.Sprintf("admission webhook %q does not support dry run", webhookName))
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
