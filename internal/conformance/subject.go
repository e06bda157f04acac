package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/conformance/lifecycle"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
)

// Exec is a command that serves webhooks.
type Exec = lifecycle.Exec

// Subject names the webhooks under test, the samples, and how to reach the
// webhooks. Zero fields have defaults; Files, Configurations or URL must name a
// webhook.
type Subject struct {
	// Files are files and folders that describe the cluster: webhook
	// configurations, CustomResourceDefinitions, Namespaces and RBAC objects.
	// "-" is Stdin.
	Files []string
	// Configurations are further webhook configurations, of
	// admissionregistration.k8s.io/v1. They get the defaults of that version.
	Configurations []runtime.Object

	// Recursive makes Run read subfolders too.
	Recursive bool

	// Samples are files and folders with sample objects, or with whole
	// requests: AdmissionRequests of gatehouse/v1alpha1 and AdmissionReviews.
	// "-" is Stdin.
	Samples []string
	// Requests are further samples. Run does not modify them. If there are no
	// samples, Run makes samples from the rules of the webhooks.
	Requests []*admission.Request

	// Handler replaces the configured servers of all webhooks. Run serves it
	// over TLS on a loopback port. The path identifies the webhook.
	Handler http.Handler
	// Exec is a command that serves all webhooks. Run starts it on this
	// machine, and replaces the caBundles by the CA of its certificate. The
	// checks of the group lifecycle run only with Exec. Default: none.
	Exec *Exec
	// URL is the https URL of a webhook without a configuration. Run creates a
	// configuration that matches everything, for Phase, by default mutating.
	URL   string
	Phase admission.Phase
	// Resolve redirects connections: HOST:PORT:ADDR or HOST:PORT:ADDR:PORT,
	// where the host of a service is NAME.NAMESPACE.svc.
	Resolve []string
	// LocalOnly restricts connections to loopback addresses, localhost and the
	// targets of Resolve. Run does not call any other webhook, and looks up no
	// other name. The entry of such a webhook in the Report has the reason.
	LocalOnly bool
	// CAFile is a PEM file with the CA of webhooks without a caBundle.
	CAFile string

	// Observe returns the observable state of the webhooks' side effects.
	// Without side effects, the state must not change. If Observe is nil,
	// C-SIDE-EFFECTS is skipped.
	Observe func(ctx context.Context) ([]byte, error)
	// Calls is the number of calls per webhook to measure latency, by default
	// 100. With fewer, C-CONCURRENCY is shorter as well: it sends its reviews at
	// once 10 times, or a tenth of Calls, but at least twice.
	Calls int
	// Only are the IDs of the checks to run, by default all. Skip are the IDs
	// of checks not to run.
	Only, Skip []string

	// Hint returns the remedy for a failed call of a webhook; "" if it knows
	// none. The default is explain.CallHint.
	Hint func(*admission.Call) string

	// Stdin is the content of "-". It is required only if a field names "-".
	Stdin io.Reader
	// Log receives notices, by default none.
	Log io.Writer
}

// defaultCalls is enough for a p99.
const defaultCalls = 100

// check returns mistakes in the Subject itself.
func (s *Subject) check() error {
	switch {
	case len(s.Files)+len(s.Configurations) == 0 && s.URL == "":
		return errors.New("there is no webhook: give configurations or a URL")
	case len(s.Files)+len(s.Configurations) > 0 && s.URL != "":
		return errors.New("a URL is for a webhook without a configuration: give one of them")
	case s.URL != "" && !isWebhookURL(s.URL):
		return fmt.Errorf(
			"the URL %q: want one with https and a host, without user, query and fragment", s.URL)
	case s.Phase != 0 && s.URL == "":
		return errors.New("the phase is for a URL only: a configuration has its own")
	case s.Phase != 0 && s.Phase != admission.Mutating && s.Phase != admission.Validating:
		return fmt.Errorf("phase %d: want mutating or validating", s.Phase)
	case s.Calls < 0:
		return fmt.Errorf("%d calls: want at least 1", s.Calls)
	case slices.Contains(s.Requests, nil):
		return errors.New("a request is nil")
	}
	return errors.Join(s.checkConfigurations(), s.checkIDs(), s.checkExec())
}

// checkExec returns an error if Exec is invalid, or if a field is set that
// excludes it.
func (s *Subject) checkExec() error {
	if s.Exec == nil {
		return nil
	}
	if s.Handler != nil || len(s.Resolve) > 0 || s.CAFile != "" {
		return errors.New("a command has its own address and certificate: give no handler, route or CA")
	}
	if err := s.Exec.Check(); err != nil {
		return fmt.Errorf("the command: %w", err)
	}
	return nil
}

// isWebhookURL reports whether a configuration could have the URL.
func isWebhookURL(text string) bool {
	return len(webhookutil.ValidateWebhookURL(nil, text, true)) == 0
}

// checkConfigurations returns an error for a configuration that the API server
// would reject. Those in files are validated when they are read.
func (s *Subject) checkConfigurations() error {
	for i, c := range s.Configurations {
		var copied registration.Configuration
		switch c := c.(type) {
		case *registrationv1.MutatingWebhookConfiguration:
			copied = c.DeepCopy()
		case *registrationv1.ValidatingWebhookConfiguration:
			copied = c.DeepCopy()
		default:
			return fmt.Errorf("configuration %d is a %T: want a webhook configuration of %s", i+1, c,
				registrationv1.SchemeGroupVersion)
		}
		registration.Default(copied)
		if problems := registration.Validate(copied); len(problems) > 0 {
			return fmt.Errorf("configuration %d: %w", i+1, problems[0])
		}
	}
	return nil
}

// checkIDs returns an error for an unknown check ID.
func (s *Subject) checkIDs() error {
	var known []string
	left := false
	for _, c := range Checks() {
		known = append(known, c.ID)
		left = left || s.runs(&c)
		if c.Group == report.Lifecycle && s.Exec == nil && slices.Contains(s.Only, c.ID) {
			return fmt.Errorf("%s needs a command to start", c.ID)
		}
	}
	for _, id := range slices.Concat(s.Only, s.Skip) {
		if slices.Contains(known, id) {
			continue
		}
		hint := message.DidYouMean(id, known)
		return fmt.Errorf("unknown check %q: %s", id, cmp.Or(hint, "docs/conformance.md lists them"))
	}
	if !left {
		return errors.New("no check is left to run")
	}
	return nil
}

// log returns the destination of notices.
func (s *Subject) log() io.Writer {
	if s.Log == nil {
		return io.Discard
	}
	return s.Log
}

// runs reports whether to run a check.
func (s *Subject) runs(c *report.Check) bool {
	return (len(s.Only) == 0 || slices.Contains(s.Only, c.ID)) && !slices.Contains(s.Skip, c.ID) &&
		(c.Group != report.Lifecycle || s.Exec != nil)
}

func (s *Subject) calls() int { return cmp.Or(s.Calls, defaultCalls) }
