package punctual

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/soak/engine"
	"example.com/gatehouse/test/internal/soak/request"
	"example.com/gatehouse/test/internal/soak/tally"
)

// row is a fault that is being measured.
type row struct {
	Options
	name    string
	server  *faultserver.Server
	engine  *engine.Engine
	waits   bool         // until the time is up
	control *control     // that ran beside it; nil before
	begun   atomic.Int64 // calls

	beyond  tally.Durations // the timeout, of all calls
	expired atomic.Int64    // calls that used up their time
	classes [3]atomic.Int64
	hanging atomic.Int64 // calls that did not return at all
	left    error        // says what was left when it was closed
}

// waiting returns the faults that make a request wait for its timeout and do
// nothing else. It is a list because an experiment cannot distinguish them from
// faults that compute for that long, which must not be among them. A fault that
// is missing here is measured alone, which takes longer but is as good.
func waiting() []string {
	return []string{
		"full-queue", "hang", "never-read", "slow", "slow-headers", "drip-body", "tls-hang", "tls-stall",
		"refused-stream", "no-end-of-stream",
	}
}

// class is how a request can end.
type class uint8

const (
	allowed class = iota
	denied        // by the webhook
	failed        // because of the webhook
)

// open serves a fault.
func open(f faultserver.Fault, o Options) (*row, error) {
	server, err := faultserver.Listen(repeated(f.Script, o.Calls))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	server.Forget() // the requests are not read, and a row may have many
	r := &row{Options: o, name: f.Name, server: server, waits: slices.Contains(waiting(), f.Name)}
	if r.engine, err = engine.Start(webhooks(server), engine.Options{Wrap: o.wrap}); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, errors.Join(err, server.Close()))
	}
	return r, nil
}

func (r *row) close() error {
	r.engine.Close()
	return r.server.Close()
}

// repeated returns the script with what it does to the first requests again and
// again.
func repeated(s faultserver.Script, calls int) faultserver.Script {
	if n := len(s.Requests); n > 1 {
		s.Requests = slices.Repeat(s.Requests, (calls+n-1)/n)
	}
	return s
}

// policyLabel is the label by which an object chooses the policy of the webhook
// that it is shown to.
const policyLabel = "policy"

// webhooks are one for each phase and policy. An object is shown to one of
// them.
func webhooks(server *faultserver.Server) []runtime.Object {
	var all []runtime.Object
	for _, policy := range []registrationv1.FailurePolicyType{registrationv1.Fail, registrationv1.Ignore} {
		name := strings.ToLower(string(policy))
		w := engine.Webhook{
			Name: name + ".soak.example.com", Timeout: int32(timeout / time.Second), Policy: policy,
			// A URL, because services never get HTTP/2.
			Reach: registrationv1.WebhookClientConfig{URL: new(server.URL() + "/"),
				CABundle: server.CABundle()},
			Selector: map[string]string{policyLabel: name},
		}
		all = append(all, engine.Mutating(name, w.Mutating()), engine.Validating(name, w.Validating()))
	}
	return all
}

// next makes the row's next call, and reports whether there was one left to
// make.
func (r *row) next(ctx context.Context) bool {
	number := int(r.begun.Add(1)) - 1
	if number >= r.Calls {
		return false
	}
	done := engine.Returns(r.hangs, func() {
		took, err := r.call(ctx, number)
		r.beyond.Add(took - timeout)
		if took >= timeout {
			r.expired.Add(1)
		}
		r.classes[classOf(err)].Add(1)
	})
	if !done {
		r.hanging.Add(1)
	}
	return true
}

// call sends a request through the phase, with the policy that its number
// selects.
func (r *row) call(ctx context.Context, number int) (time.Duration, error) {
	policy := []string{"fail", "ignore"}[number/2%2]
	a, interfaces := request.Either(number/4, map[string]string{policyLabel: policy})
	phase := []admission.Phase{admission.Mutating, admission.Validating}[number%2]
	start := time.Now()
	err := r.engine.Enter(ctx, phase, a, interfaces)
	return time.Since(start), err
}

func classOf(err error) class {
	switch {
	case err == nil:
		return allowed
	case strings.Contains(err.Error(), "denied the request"):
		return denied
	}
	return failed
}
