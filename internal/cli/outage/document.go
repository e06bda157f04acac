package outage

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/lint/simulation"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Report is the document that `gatehouse outage -o json` prints, which
// docs/schemas/outagereport.v1alpha1.json describes.
type Report struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind OutageReport.
	metav1.TypeMeta `json:",inline"`
	// Requests are the requests, in the order of the tables.
	Requests []Request `json:"requests"`
	// Backends are the backends, by name.
	Backends []Backend `json:"backends"`
	// Together are the requests that are worse off when two backends hang.
	Together []Together `json:"together"`
	// Everything are the outcomes when all backends hang.
	Everything []Outcome `json:"everything"`
	// ColdStart is what happens after all backends were down.
	ColdStart ColdStart `json:"coldStart"`
}

// Request is a request that a cluster depends on.
type Request struct {
	ID     string `json:"id"`
	Does   string `json:"does"`
	Breaks string `json:"breaks"`
	// DeadlineSeconds is when the sender gives up.
	DeadlineSeconds float64 `json:"deadlineSeconds"`
}

// Backend is a service or host that answers for webhooks.
type Backend struct {
	// Name is NAMESPACE/SERVICE or HOST:PORT.
	Name string `json:"name"`
	// Webhooks are CONFIGURATION/NAME.
	Webhooks []string `json:"webhooks"`
	// Refuses has what happens while it refuses connections, and Hangs while it hangs.
	Refuses Outage `json:"refuses"`
	Hangs   Outage `json:"hangs"`
}

// Outage counts what happens to the requests.
type Outage struct {
	Refused        int     `json:"refused"`
	MutationLost   int     `json:"mutationLost"`
	Delayed        int     `json:"delayed"`
	LongestSeconds float64 `json:"longestSeconds"`
	// Outcomes are those that do not pass at once.
	Outcomes []Outcome `json:"outcomes"`
}

// Outcome is what happens to a request.
type Outcome struct {
	Request string `json:"request"`
	// Effect is "refused", "mutation lost" or "delayed".
	Effect  string  `json:"effect"`
	Seconds float64 `json:"seconds"`
	// TimedOut says that its deadline was over.
	TimedOut bool `json:"timedOut,omitempty"`
	// Webhooks are those that failed, as CONFIGURATION/NAME.
	Webhooks []string `json:"webhooks"`
	Message  string   `json:"message,omitempty"`
}

// Together is a request that is worse off when two backends hang than with each alone.
type Together struct {
	Backends []string `json:"backends"`
	Outcome  `json:",inline"`
}

// ColdStart is the order in which backends come up.
type ColdStart struct {
	Rounds [][]string `json:"rounds"`
	// Stuck are those that never do.
	Stuck []Stuck `json:"stuck"`
	// Cycle is a shortest cycle of backends that wait for each other.
	Cycle []Edge `json:"cycle,omitempty"`
	// Exclusions free all backends; Fewest says that no fewer do.
	Exclusions []Exclusion `json:"exclusions,omitempty"`
	Fewest     bool        `json:"fewest,omitempty"`
}

// Stuck is a backend that does not come up.
type Stuck struct {
	Backend string `json:"backend"`
	// Needs is what the refused request does.
	Needs string `json:"needs"`
	// Webhooks are those that failed.
	Webhooks []string `json:"webhooks"`
	Message  string   `json:"message"`
}

// Edge says that a backend waits for another one.
type Edge struct {
	Backend  string   `json:"backend"`
	WaitsFor string   `json:"waitsFor"`
	Needs    string   `json:"needs"`
	Webhooks []string `json:"webhooks"`
}

// Exclusion exempts a namespace from a webhook.
type Exclusion struct {
	Webhook   string `json:"webhook"`
	Namespace string `json:"namespace"`
}

func newReport(c *lint.Cluster) *Report {
	r := &Report{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "OutageReport"},
		Requests: []Request{}, Backends: []Backend{}, Together: []Together{}, Everything: []Outcome{},
	}
	for i := range c.Matrix.Rows {
		row := &c.Matrix.Rows[i]
		r.Requests = append(r.Requests, newRequest(row.Request))
		if row.Worst.Effect > row.Healthy.Effect {
			r.Everything = append(r.Everything, newOutcome(row, row.Worst))
		}
		for _, pair := range row.Together {
			r.Together = append(r.Together, Together{
				[]string{pair.Backends[0].String(), pair.Backends[1].String()}, newOutcome(row, pair.Outcome),
			})
		}
	}
	for _, b := range c.Matrix.Backends {
		backend := Backend{Name: b.String(), Refuses: newOutage(c.Matrix, b, simulation.Refusing),
			Hangs: newOutage(c.Matrix, b, simulation.Hanging)}
		for _, w := range c.Webhooks {
			if w.Backend == b {
				backend.Webhooks = append(backend.Webhooks, webhookconfig.FullName(w.Webhook))
			}
		}
		r.Backends = append(r.Backends, backend)
	}
	r.ColdStart = newColdStart(c)
	return r
}

func newRequest(q *critical.Request) Request {
	return Request{q.ID, q.Does, q.Breaks, q.Deadline.Seconds()}
}

// newOutage counts what happens to requests because of an outage.
func newOutage(m *outage.Matrix, b inventory.Backend, state simulation.State) Outage {
	all := Outage{Outcomes: []Outcome{}}
	for i := range m.Rows {
		row := &m.Rows[i]
		o := row.OutcomeOf(b, state)
		if o.Effect <= row.Healthy.Effect {
			continue
		}
		switch o.Effect {
		case outage.Refused:
			all.Refused++
		case outage.MutationLost:
			all.MutationLost++
		case outage.Delayed:
			all.Delayed++
		}
		all.LongestSeconds = max(all.LongestSeconds, o.Elapsed.Seconds())
		all.Outcomes = append(all.Outcomes, newOutcome(row, o))
	}
	return all
}

func newOutcome(row *outage.Row, o *outage.Outcome) Outcome {
	return Outcome{
		row.Request.ID, o.Effect.String(), o.Elapsed.Seconds(), o.TimedOut, names(o.Failed), o.Message,
	}
}

// names returns the webhooks as CONFIGURATION/NAME, each once.
func names(webhooks []*admission.Webhook) []string {
	all := []string{}
	for _, w := range webhooks {
		if name := webhookconfig.FullName(w); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

func newColdStart(c *lint.Cluster) ColdStart {
	cold := ColdStart{Rounds: [][]string{}, Stuck: []Stuck{}}
	for _, round := range c.Cold.Rounds {
		var up []string
		for _, b := range round {
			up = append(up, b.String())
		}
		cold.Rounds = append(cold.Rounds, up)
	}
	for _, s := range c.Cold.Stuck {
		cold.Stuck = append(cold.Stuck, Stuck{
			s.Backend.String(), s.Request.Does, names(s.Outcome.Failed), s.Outcome.Message,
		})
	}
	if c.Deadlock == nil {
		return cold
	}
	for _, e := range c.Deadlock.Cycle {
		cold.Cycle = append(cold.Cycle, Edge{
			e.Backend.String(), e.Blocker.String(), e.Request.Does, names(e.Webhooks),
		})
	}
	for _, e := range c.Deadlock.Exclusions {
		cold.Exclusions = append(cold.Exclusions, Exclusion{
			webhookconfig.FullName(e.Webhook), e.Namespace,
		})
	}
	cold.Fewest = c.Deadlock.Fewest
	return cold
}
