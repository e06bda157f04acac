package results

import (
	"cmp"
	"maps"
	"slices"

	"example.com/gatehouse/internal/replay"
)

// Summary counts results.
type Summary struct {
	// Requests is the number of requests: the sum of the four below.
	Requests int `json:"requests"`
	Allowed  int `json:"allowed"`
	Denied   int `json:"denied"`
	// Undecided are those whose verdict is not known, because a webhook was not
	// reached or its answer was not recorded.
	Undecided int `json:"undecided"`
	// Failed could not be simulated.
	Failed int `json:"failed"`

	// Assumed are those with a recorded answer to another object, and Redacted
	// those with values that are not the original ones.
	Assumed  int `json:"assumed"`
	Redacted int `json:"redacted"`
	// Broken is the number of lines of the corpus that were not readable.
	Broken int `json:"broken"`

	// Webhooks has one entry per webhook that was called, and Policies one per
	// binding that was evaluated, by phase and name.
	Webhooks []WebhookSummary `json:"webhooks"`
	Policies []PolicySummary  `json:"policies"`
	// Failures are the first errors of Failed, each once.
	Failures []string `json:"failures"`

	webhooks map[WebhookName]*WebhookSummary
	policies map[PolicyName]*PolicySummary
}

// WebhookName names a webhook.
type WebhookName struct {
	Phase         string `json:"phase"`
	Configuration string `json:"configuration"`
	Webhook       string `json:"webhook"`
}

// WebhookSummary counts the calls of a webhook.
type WebhookSummary struct {
	WebhookName
	Calls int `json:"calls"`
	// Changed counts the calls that changed the object, and Assumed those with a
	// recorded answer to another object.
	Changed int `json:"changed"`
	Assumed int `json:"assumed"`
	// Outcomes counts the calls by outcome.
	Outcomes map[string]int `json:"outcomes"`
}

// PolicyName names a binding of a policy; the Binding is empty if the policy
// itself could not be used.
type PolicyName struct {
	Phase   string `json:"phase"`
	Policy  string `json:"policy"`
	Binding string `json:"binding,omitempty"`
}

// PolicySummary counts the evaluations of a binding.
type PolicySummary struct {
	PolicyName
	Evaluations int            `json:"evaluations"`
	Outcomes    map[string]int `json:"outcomes"`
}

// NewSummary returns the summary of no results.
func NewSummary() *Summary {
	return &Summary{
		webhooks: map[WebhookName]*WebhookSummary{}, policies: map[PolicyName]*PolicySummary{},
	}
}

// maxFailures limits Summary.Failures.
const maxFailures = 5

// Add counts a result.
func (s *Summary) Add(r *replay.Result) {
	s.Requests++
	switch {
	case r.Error != "":
		s.Failed++
		if len(s.Failures) < maxFailures && !slices.Contains(s.Failures, r.Error) {
			s.Failures = append(s.Failures, r.Error)
		}
	case r.Undecided:
		s.Undecided++
	case r.Allowed:
		s.Allowed++
	default:
		s.Denied++
	}
	if r.Redacted {
		s.Redacted++
	}
	assumed := false
	for i := range r.Calls {
		s.addCall(&r.Calls[i])
		assumed = assumed || r.Calls[i].Assumed
	}
	if assumed {
		s.Assumed++
	}
	for i := range r.Policies {
		s.addPolicy(&r.Policies[i])
	}
}

func (s *Summary) addCall(c *replay.Call) {
	name := WebhookName{c.Phase, c.Configuration, c.Webhook}
	w := s.webhooks[name]
	if w == nil {
		w = &WebhookSummary{WebhookName: name, Outcomes: map[string]int{}}
		s.webhooks[name] = w
	}
	w.Calls++
	w.Outcomes[c.Outcome]++
	if c.Patch != nil {
		w.Changed++
	}
	if c.Assumed {
		w.Assumed++
	}
}

func (s *Summary) addPolicy(p *replay.Policy) {
	name := PolicyName{p.Phase, p.Policy, p.Binding}
	of := s.policies[name]
	if of == nil {
		of = &PolicySummary{PolicyName: name, Outcomes: map[string]int{}}
		s.policies[name] = of
	}
	of.Evaluations++
	of.Outcomes[p.Outcome]++
}

// Finish fills the lists. No result may be added after it.
func (s *Summary) Finish() {
	s.Webhooks = []WebhookSummary{}
	for _, name := range slices.SortedFunc(maps.Keys(s.webhooks), WebhookName.compare) {
		s.Webhooks = append(s.Webhooks, *s.webhooks[name])
	}
	s.Policies = []PolicySummary{}
	for _, name := range slices.SortedFunc(maps.Keys(s.policies), PolicyName.compare) {
		s.Policies = append(s.Policies, *s.policies[name])
	}
	s.Failures = append([]string{}, s.Failures...)
}

func (n WebhookName) compare(o WebhookName) int {
	return cmp.Or(cmp.Compare(n.Phase, o.Phase), cmp.Compare(n.Configuration, o.Configuration),
		cmp.Compare(n.Webhook, o.Webhook))
}

func (n PolicyName) compare(o PolicyName) int {
	return cmp.Or(cmp.Compare(n.Phase, o.Phase), cmp.Compare(n.Policy, o.Policy),
		cmp.Compare(n.Binding, o.Binding))
}
