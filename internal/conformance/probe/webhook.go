package probe

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/explain"
)

// Webhook is one webhook that is looked at.
type Webhook struct {
	*admission.Webhook
	// Visits are the samples that visit it.
	Visits []*Visit
	// Exchanges are those of Meet.
	Exchanges []*Exchange
	// Unreachable says why it is asked no more, in a sentence about it: there is no
	// connection, or nothing comes back over it. It is nil as long as something does.
	Unreachable error

	mood       mood
	fullName   string
	collection *Collection
	// missed is what came of the samples that do not visit it, and unvisited what
	// WhyUnvisited has found out about it.
	missed    []*admission.Response
	unvisited string
}

// Visit is a sample on its way to a webhook.
type Visit struct {
	*Sample
	// Body is the AdmissionReview that the engine sends, and Version the version of it.
	Body    []byte
	Version string
}

func newVisit(s *Sample, body []byte) *Visit {
	v := &Visit{Sample: s, Body: body}
	v.Version = v.Review().Version()
	return v
}

// FullName is CONFIGURATION/WEBHOOK. Where there is another one of that name, it says
// besides which one is meant.
func (w *Webhook) FullName() string { return w.fullName }

// Address is where the webhook is, as it is configured: the URL, or that of the service.
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

// Handled is that of Config.
func (w *Webhook) Handled() bool { return w.collection.Handled }

// Calls is that of Config.
func (w *Webhook) Calls() int { return w.collection.Calls }

// Objects is that of Config.
func (w *Webhook) Objects() apiadmission.ObjectInterfaces { return w.collection.Objects }

// Definitions is that of Config.
func (w *Webhook) Definitions() []*apiextensionsv1.CustomResourceDefinition {
	return w.collection.Definitions
}

// Observe is that of Config; it may be nil.
func (w *Webhook) Observe() func(context.Context) ([]byte, error) { return w.collection.Observe }

// Timeout is how long the webhook may take.
func (w *Webhook) Timeout() time.Duration {
	if w.TimeoutSeconds == nil {
		return 10 * time.Second // what servers fill in
	}
	return time.Duration(*w.TimeoutSeconds) * time.Second
}

// Endpoint returns where and how the webhook is reached, whatever its certificate is.
func (w *Webhook) Endpoint(ctx context.Context) (*dispatcher.Endpoint, error) {
	return w.collection.Careless.Endpoint(ctx, w.Webhook)
}

// WhyUnvisited says why none of the samples visits the webhook, in the words of package
// explain, for the sample that came closest. It is for webhooks without Visits.
func (w *Webhook) WhyUnvisited() string {
	if w.unvisited == "" {
		w.unvisited = w.whyUnvisited()
	}
	return w.unvisited
}

func (w *Webhook) whyUnvisited() string {
	why, furthest := "there is no sample", admission.Stage(0)
	for _, response := range w.missed {
		stage := w.stageIn(response)
		if stage < furthest {
			continue
		}
		if reason := w.reasonIn(response); reason != "" {
			why, furthest = nameOf(response.Request)+": "+reason, stage
		}
	}
	return why
}

// stageIn returns the stage at which the webhook was stopped.
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

// sentIn returns the review that the webhook was sent while a request was simulated; nil
// if there was none.
func (w *Webhook) sentIn(response *admission.Response) []byte {
	for i := range response.Calls {
		call := &response.Calls[i]
		if w.is(call.Webhook) && call.Trace != nil && call.Trace.Request != nil {
			return call.Trace.Request()
		}
	}
	return nil
}
