package probe

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// Webhook is one webhook under test.
type Webhook struct {
	*admission.Webhook
	// Visits are the samples that match it.
	Visits []*Visit
	// Exchanges are the exchanges of Collect.
	Exchanges []*Exchange
	// WhyUnvisited is the reason why no sample matches it, in the words of
	// package explain for the closest sample; empty if it has Visits.
	WhyUnvisited string
	// Unreachable is the reason why the run no longer calls the webhook, as a
	// sentence about the webhook. It is nil while the webhook responds.
	Unreachable error

	health     health
	fullName   string
	collection *Collection
}

// Visit is a sample and a webhook that it matches.
type Visit struct {
	*Sample
	// Body is the AdmissionReview that the dispatcher sends, and Version its
	// apiVersion.
	Body    []byte
	Version string
}

func newVisit(s *Sample, body []byte) *Visit {
	v := &Visit{Sample: s, Body: body}
	v.Version = v.Review().Version()
	return v
}

// FullName is CONFIGURATION/WEBHOOK, with a suffix if that is ambiguous.
func (w *Webhook) FullName() string { return w.fullName }

// Address returns the configured URL, or that of the service.
func (w *Webhook) Address() string {
	c := w.ClientConfig
	switch {
	case c.URL != nil:
		return *c.URL
	case c.Service == nil:
		return ""
	}
	port, path := int32(443), ""
	if c.Service.Port != nil {
		port = *c.Service.Port
	}
	if c.Service.Path != nil {
		path = "/" + strings.TrimPrefix(*c.Service.Path, "/")
	}
	return fmt.Sprintf("https://%s.%s.svc:%d%s", c.Service.Name, c.Service.Namespace, port, path)
}

// Config returns the configuration of the collection.
func (w *Webhook) Config() *Config { return &w.collection.Config }

// Timeout returns the configured timeout, by default 10 s.
func (w *Webhook) Timeout() time.Duration {
	if w.TimeoutSeconds == nil {
		return 10 * time.Second // the API server's default
	}
	return time.Duration(*w.TimeoutSeconds) * time.Second
}

// findWhyUnvisited returns WhyUnvisited from the responses for all samples.
func (w *Webhook) findWhyUnvisited(responses []*admission.Response) string {
	why, furthest := "there is no sample", admission.Stage(0)
	for _, response := range responses {
		stage := w.stageIn(response)
		if stage < furthest {
			continue
		}
		if reason := w.reasonIn(response); reason != "" {
			why, furthest = nameOf(response.Request)+": "+reason, stage
		} else if err := rejection(response); err != nil {
			why = err.Error()
		}
	}
	return why
}

// stageIn returns the stage at which matching excluded the webhook.
func (w *Webhook) stageIn(response *admission.Response) admission.Stage {
	for i := range response.Matches {
		if m := &response.Matches[i]; w.is(m.Webhook) {
			return m.Stage
		}
	}
	return 0
}

func (w *Webhook) reasonIn(response *admission.Response) string {
	for _, round := range explain.Response(response).Rounds {
		for _, x := range round.Webhooks {
			if round.Phase != w.Phase.String() || x.UID != w.UID {
				continue
			}
			if x.Hint == "" {
				return cmp.Or(x.Error, x.Reason)
			}
			return cmp.Or(x.Error, x.Reason) + " (" + x.Hint + ")"
		}
	}
	return ""
}

func (w *Webhook) is(other *admission.Webhook) bool {
	return w.Phase == other.Phase && w.UID == other.UID
}

// sentIn returns the review that the webhook received in a simulation; nil if
// it received none.
func (w *Webhook) sentIn(response *admission.Response) []byte {
	for i := range response.Calls {
		call := &response.Calls[i]
		if w.is(call.Webhook) && call.Trace != nil && call.Trace.Request != nil {
			return call.Trace.Request()
		}
	}
	return nil
}
