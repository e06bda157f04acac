package doctor

import (
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/rules"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Status is the result of a check.
type Status string

// The results of checks.
const (
	OK      Status = "ok"
	Problem Status = "problem"
	Unknown Status = "not known"
)

// Check says one thing about a webhook.
type Check struct {
	// Name says what was checked, such as "caBundle".
	Name   string `json:"check"`
	Status Status `json:"status"`
	// Message is a fact, what is wrong, or why it is not known.
	Message string `json:"message"`
	// Remedy says what to do; empty if nothing has to be done.
	Remedy string `json:"remedy,omitempty"`
}

// Diagnosis has the checks of a webhook.
type Diagnosis struct {
	Webhook *inventory.Webhook
	Checks  []Check
}

// subject is what a check is about.
type subject struct {
	name string
	// rules are the IDs of the rules whose findings are problems.
	rules []string
	// fact is the check if there is no finding. It has no Status if the subject does not
	// apply to the webhook.
	fact func(c *lint.Cluster, w *inventory.Webhook) Check
}

var subjects = []subject{
	{"name", []string{"url-of-service"}, nameFact},
	{"caBundle", []string{"ca-unreadable", "ca-partial", "ca-expired", "ca-expires"}, bundleFact},
	{"certificate", []string{
		"certificate-name", "certificate-untrusted", "certificate-expired", "certificate-expires",
		"certificate-usage", "certificate-key",
	}, certificateFact},
	{"service", []string{"service-missing", "service-port-missing", "namespace-missing"}, serviceFact},
	{"pods", []string{"service-without-pods"}, podsFact},
	{"endpoints", []string{"service-without-endpoints"}, endpointsFact},
	{"path", nil, pathFact},
}

// Examine returns the checks of the webhooks, in the order of the files. The error is that
// of lint.Run.
func Examine(c *lint.Cluster) ([]Diagnosis, error) {
	report, err := lint.Run(c, slices.DeleteFunc(rules.All(), func(r *lint.Rule) bool {
		return !slices.ContainsFunc(subjects, func(s subject) bool {
			return slices.Contains(s.rules, r.ID)
		})
	}))
	if err != nil {
		return nil, err
	}
	all := make([]Diagnosis, len(c.Webhooks))
	for i, w := range c.Webhooks {
		all[i].Webhook = w
		for _, s := range subjects {
			all[i].Checks = append(all[i].Checks, s.check(c, report.Findings, w)...)
		}
	}
	return all, nil
}

// check returns the problems of a subject, or its fact.
func (s *subject) check(c *lint.Cluster, findings []lint.Finding, w *inventory.Webhook) []Check {
	var problems []Check
	for i := range findings {
		f := &findings[i]
		if slices.Contains(s.rules, f.Rule.ID) && isAbout(c, f, w) {
			message := strings.Join(append([]string{f.Message}, f.Evidence...), " ")
			problems = append(problems, Check{s.name, Problem, message, f.Rule.Fix})
		}
	}
	if problems != nil {
		return problems
	}
	fact := s.fact(c, w)
	if fact.Status == "" {
		return nil
	}
	fact.Name = s.name
	return []Check{fact}
}

// isAbout reports whether a finding is about a webhook, or about the Secret of its
// certificate.
func isAbout(c *lint.Cluster, f *lint.Finding, w *inventory.Webhook) bool {
	if f.Document == w.Document && (f.Field == w.Field || strings.HasPrefix(f.Field, w.Field+".")) {
		return true
	}
	return slices.ContainsFunc(c.ServingSecrets(w), func(s lint.Secret) bool {
		return s.Document == f.Document
	})
}

func nameFact(_ *lint.Cluster, w *inventory.Webhook) Check {
	address, name, err := webhookconfig.Address(w.Webhook)
	if err != nil {
		return Check{Status: Problem, Message: err.Error()}
	}
	return Check{Status: OK,
		Message: fmt.Sprintf("API servers connect to %s and verify the name %s", address, name)}
}

func pathFact(_ *lint.Cluster, w *inventory.Webhook) Check {
	s := w.ClientConfig.Service
	switch {
	case s == nil:
		return Check{} // the URL has it
	case s.Path == nil || *s.Path == "" || *s.Path == "/":
		return Check{Status: OK, Message: "reviews go to /, because clientConfig.service has no path"}
	}
	return Check{Status: OK, Message: "reviews go to " + *s.Path}
}
