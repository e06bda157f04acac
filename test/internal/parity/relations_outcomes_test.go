package parity

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/generate"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// relationsOfOutcomes are about what a request leaves behind.
func relationsOfOutcomes() map[int]relation {
	return map[int]relation{
		3:  {name: "a denial leaves no trace", byDefault: true, holds: denialLeavesNoTrace},
		4:  {name: "validation changes nothing", holds: validationChangesNothing},
		6:  {name: "the same request has the same outcome", byDefault: true, holds: determinism},
		17: {name: "a deadline is one threshold", byDefault: true, holds: deadlineThreshold},
		18: {name: "faults of the transport are alike", holds: faultEquivalence},
		19: {name: "requests see configurations in order", elsewhere: "dispatcher/source.TestChurn"},
		20: {name: "every call is counted once", holds: conservation},
		25: {name: "credentials go where they belong", holds: credentialConfinement},
	}
}

// denialLeavesNoTrace leaves out what may write to the object between the
// webhooks and the denial: the host's plugins, and a successful round. A second
// round can fail even if no webhook needs it, because selectors then match the
// object of the first.
func denialLeavesNoTrace(t *trial) {
	s := generate.Scenario(t.T)
	if rapid.Bool().Draw(t.T, "after a conversion") {
		s = deniedAfterConversion(t)
	}
	s.InTree, s.Validating = nil, nil
	denied := t.observe(&s)
	if denied.Error.Type == "" {
		return
	}
	if denied.Object != denied.Entered() || denied.OldObject.Changed || denied.Options.Changed {
		t.Errorf("changed: object from %v to %v, oldObject %v, options %v", denied.Entered(), denied.Object, denied.OldObject.Changed, denied.Options.Changed)
	}
	t.show(&s)
}

// deniedAfterConversion has a webhook change a widget, another one ask for it
// in the other version, and a third refuse it in one of them.
func deniedAfterConversion(t *trial) scenario.Scenario {
	s := generate.Plain(t.T, "widgets")
	if q := &s.Steps[0].Request; q.Operation == "DELETE" {
		q.Operation, q.Object, q.OldObject, q.Options = "CREATE", q.OldObject, nil, nil
	}
	in := func(version, name string) registrationv1.MutatingWebhook {
		w := anyone(name, "/"+name)
		w.MatchPolicy = new(registrationv1.Equivalent)
		w.Rules[0].Rule = registrationv1.Rule{APIGroups: []string{"acme.example.com"}, APIVersions: []string{version}, Resources: []string{"widgets"}}
		return w
	}
	last := rapid.SampledFrom([]string{"v1", "v2"}).Draw(t.T, "version that is refused")
	s.Mutating = mutatingWith(in("v1", "changing"), in("v2", "converting"), in(last, "refusing"))
	s.Answers["/changing"] = patching(`{"op":"add","path":"/metadata/annotations","value":{"changed":"yes"}}`)
	s.Answers["/converting"], s.Answers["/refusing"] = allowing(), []scenario.Answer{{}}
	return s
}

func validationChangesNothing(t *trial) {
	s := generate.Scenario(t.T)
	s.InTree, s.Mutating = nil, nil
	unchanged(t, &s, t.observe(&s))
}

// unchanged compares with what the host holds if there are no webhooks.
func unchanged(t *trial, s *scenario.Scenario, o *harness.Observation) {
	bare := deepCopy(t, s)
	bare.Mutating, bare.Validating = nil, nil
	untouched := t.observe(bare)
	if o.Object != untouched.Object || o.OldObject.Changed || o.Options.Changed {
		t.Errorf("changed: object %v, oldObject %v, options %v", o.Object != untouched.Object, o.OldObject.Changed, o.Options.Changed)
	}
	t.show(s)
}

func determinism(t *trial) {
	s := generate.Scenario(t.T)
	t.same(t.observe(&s), t.observe(&s), &s)
}

// deadlineThreshold has a webhook take no time or very much of it, and a
// request that has little or enough.
func deadlineThreshold(t *trial) {
	const little, much = 30 * time.Millisecond, 10 * time.Second
	s := generate.Plain(t.T)
	s.Mutating, s.Validating = nil, nil
	hook := anyone("slow", "/slow")
	hook.FailurePolicy = rapid.SampledFrom([]*registrationv1.FailurePolicyType{new(registrationv1.Fail), new(registrationv1.Ignore)}).Draw(t.T, "policy")
	if rapid.Bool().Draw(t.T, "validating") {
		s.Validating = validatingWith(hook)
	} else {
		s.Mutating = mutatingWith(hook)
	}
	late := rapid.Bool().Draw(t.T, "late")
	answer := scenario.Answer{Allowed: true}
	s.Steps[0].Request.Deadline = metav1.Duration{Duration: much}
	if late {
		answer.Delay = metav1.Duration{Duration: much}
		s.Steps[0].Request.Deadline = metav1.Duration{Duration: little}
	}
	s.Answers["/slow"] = []scenario.Answer{answer}
	if code := codeOf(t, t.observe(&s)); late && code != 504 || !late && code != 0 {
		t.Errorf("late %v: code %d", late, code)
	}
	t.show(&s)
}

// codeOf returns the status code of an error, 0 for none.
func codeOf(t *trial, o *harness.Observation) int {
	if o.Error.Type == "" {
		return 0
	}
	var status metav1.Status
	if err := json.Unmarshal([]byte(o.Error.Status), &status); err != nil {
		t.Fatalf("%v is no status: %v", o.Error, err)
	}
	return int(status.Code)
}

// faultEquivalence compares three webhooks: one that closes the connection, one
// whose port is closed, and one whose certificate is not trusted.
func faultEquivalence(t *trial) {
	s := generate.Plain(t.T)
	hook := anyone("faulty", "/faulty")
	hook.FailurePolicy = rapid.SampledFrom([]*registrationv1.FailurePolicyType{nil, new(registrationv1.Fail), new(registrationv1.Ignore)}).Draw(t.T, "policy")
	mutating := rapid.Bool().Draw(t.T, "mutating")
	s.Answers["/faulty"] = []scenario.Answer{{Reset: true}}
	fault := func(url string, ca []byte) *harness.Observation {
		hook.ClientConfig = registrationv1.WebhookClientConfig{URL: &url, CABundle: ca}
		s.Mutating, s.Validating = nil, validatingWith(hook)
		if mutating {
			s.Mutating, s.Validating = mutatingWith(hook), nil
		}
		o := t.observe(&s)
		code := codeOf(t, o)
		o.Error = harness.Failure{Type: fmt.Sprintf("%s %d", o.Error.Type, code)}
		// Which webhooks were reached, and when.
		o.MutatingCalls, o.ValidatingCalls, o.UIDs = nil, nil, nil
		o.MutatingLatency, o.ValidatingLatency = 0, 0
		for i := range o.Spans {
			o.Spans[i].Review = ""
		}
		return o
	}
	reset := fault("https://webhook/faulty", []byte("CA"))
	t.same(reset, fault("https://127.0.0.1:1/faulty", []byte("CA")), &s)
	t.same(reset, fault("https://webhook/faulty", nil), &s)
}

// conservation adds up the metrics of webhooks.
func conservation(t *trial) {
	s := generate.Scenario(t.T)
	o := t.observe(&s)
	if o.Over() {
		return // a caller who went away is counted nowhere else
	}
	const family = "apiserver_admission_webhook_"
	var attempts, mutating, ended int
	for _, series := range o.Metrics {
		name, rest, _ := strings.Cut(series, "{")
		value, err := strconv.Atoi(series[strings.LastIndexByte(series, ' ')+1:])
		if err != nil {
			t.Fatalf("%s: %v", series, err)
		}
		switch name {
		case family + "request_total":
			attempts += value
			if strings.Contains(rest, `type="admit"`) {
				mutating += value
			}
			if strings.Contains(rest, `code="200"`) && strings.Contains(rest, `rejected="false"`) {
				ended += value
			}
		case family + "rejection_count", family + "fail_open_count":
			ended += value
		}
	}
	annotated := 0
	for key := range o.Metadata {
		if strings.HasPrefix(key, "mutation.webhook") {
			annotated++
		}
	}
	hits := len(o.MutatingCalls) + len(o.ValidatingCalls)
	if attempts != ended || mutating != annotated || hits > attempts {
		t.Errorf("%d attempts (%d mutating), %d ends, %d annotations, %d hits\n%s", attempts, mutating, ended, annotated, hits, strings.Join(o.Metrics, "\n"))
	}
	t.show(&s)
}

// credentialConfinement looks at the token that each request brought: the one
// for the address that it was sent to.
func credentialConfinement(t *trial) {
	s := generate.Scenario(t.T)
	o := t.observe(&s)
	for _, c := range append(o.MutatingCalls, o.ValidatingCalls...) {
		want := "Bearer url/" + c.Host
		if c.Host == "hooks.shop.svc:443" || c.Host == "hooks.shop.svc" {
			want = "Bearer service/shop/hooks/443"
		}
		if got := strings.Join(c.Header["Authorization"], ", "); got != want {
			t.Errorf("%s%s got %q, want %q", c.Host, c.Path, got, want)
		}
	}
	t.show(&s)
}

// parsePosition reads the end of an annotation's key.
func parsePosition(t *trial, text string) (round, index int) {
	if _, err := fmt.Sscanf(text, "round_%d_index_%d", &round, &index); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return round, index
}
