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
	"example.com/gatehouse/internal/message"
)

// Subject is what is looked at: webhooks, what they are tried with, and how they are
// reached. The zero value of a field is its default; there has to be a webhook in Files,
// in Configurations or behind URL.
type Subject struct {
	// Files and folders say what the cluster is like: webhook configurations,
	// CustomResourceDefinitions, Namespaces and RBAC objects. "-" is Stdin.
	Files []string
	// Configurations are webhook configurations besides those in Files: of
	// admissionregistration.k8s.io/v1, such as a server would take. They get the defaults
	// of that version.
	Configurations []runtime.Object

	// Samples are files and folders with the objects that the webhooks are tried with,
	// or with whole requests: AdmissionRequests of gatehouse/v1alpha1 and
	// AdmissionReviews. "-" is Stdin.
	Samples []string
	// Requests are samples besides those in Samples. They are not modified. If there are
	// no samples at all, some are made for the rules of the webhooks.
	Requests []*admission.Request

	// Handler answers all webhooks, in place of what is configured: it tells them apart
	// by the path. It is served over TLS, on a loopback port.
	Handler http.Handler
	// URL is where a webhook is that has no configuration: https, with a path. It gets one
	// for everything. Phase is what it is then; the default is mutating.
	URL   string
	Phase admission.Phase
	// Resolve has connections go elsewhere: HOST:PORT:ADDR or HOST:PORT:ADDR:PORT, where
	// the host of a service is NAME.NAMESPACE.svc.
	Resolve []string
	// CAFile is a file with the CA, in PEM, of webhooks without a caBundle.
	CAFile string

	// Observe returns what can be seen of the webhooks' side effects, which has to be the
	// same as long as there are none. By default nothing can be seen.
	Observe func(ctx context.Context) ([]byte, error)
	// Calls is how often each webhook is called to learn how long it takes. The default
	// is 100.
	Calls int
	// Only are the IDs of the checks to run, by default all, and Skip those not to run.
	Only, Skip []string

	// Stdin is what "-" stands for; required only if something is "-".
	Stdin io.Reader
	// Log receives notices about what may not be what was meant. The default is to drop
	// them.
	Log io.Writer
}

// defaultCalls is enough for a p99.
const defaultCalls = 100

// check finds what is wrong with the Subject itself.
func (s *Subject) check() error {
	switch {
	case len(s.Files)+len(s.Configurations) == 0 && s.URL == "":
		return errors.New("there is no webhook: give configurations or a URL")
	case len(s.Files)+len(s.Configurations) > 0 && s.URL != "":
		return errors.New("a URL is for a webhook without a configuration: give one of them")
	case s.URL != "" && !isWebhookURL(s.URL):
		return fmt.Errorf("the URL %q: want one with https and a host, without user, query and fragment", s.URL)
	case s.Phase != 0 && s.URL == "":
		return errors.New("the phase is for a URL: configurations say it themselves")
	case s.Phase != 0 && s.Phase != admission.Mutating && s.Phase != admission.Validating:
		return fmt.Errorf("phase %d: want mutating or validating", s.Phase)
	case s.Calls < 0:
		return fmt.Errorf("%d calls: want at least 1", s.Calls)
	case slices.Contains(s.Requests, nil):
		return errors.New("a request is nil")
	}
	return errors.Join(s.checkConfigurations(), s.checkIDs())
}

// isWebhookURL reports whether a configuration could have the URL.
func isWebhookURL(text string) bool {
	return len(webhookutil.ValidateWebhookURL(nil, text, true)) == 0
}

// checkConfigurations finds configurations that no server would have. Those in files are
// looked at when they are read.
func (s *Subject) checkConfigurations() error {
	for i, c := range s.Configurations {
		var copied registration.Configuration
		switch c := c.(type) {
		case *registrationv1.MutatingWebhookConfiguration:
			copied = c.DeepCopy()
		case *registrationv1.ValidatingWebhookConfiguration:
			copied = c.DeepCopy()
		default:
			return fmt.Errorf("configuration %d is a %T: want a webhook configuration of %s", i+1, c, registrationv1.SchemeGroupVersion)
		}
		registration.Default(copied)
		if problems := registration.Validate(copied); len(problems) > 0 {
			return fmt.Errorf("configuration %d: %w", i+1, problems[0])
		}
	}
	return nil
}

// checkIDs finds IDs that no check has.
func (s *Subject) checkIDs() error {
	var known []string
	for _, c := range Checks() {
		known = append(known, c.ID)
	}
	for _, id := range slices.Concat(s.Only, s.Skip) {
		if slices.Contains(known, id) {
			continue
		}
		hint := message.DidYouMean(id, known)
		return fmt.Errorf("no check is called %q: %s", id, cmp.Or(hint, "docs/conformance.md lists them"))
	}
	if !slices.ContainsFunc(known, s.wants) {
		return errors.New("no check is left to run")
	}
	return nil
}

// log is where notices go.
func (s *Subject) log() io.Writer {
	if s.Log == nil {
		return io.Discard
	}
	return s.Log
}

// wants reports whether a check is to be run.
func (s *Subject) wants(id string) bool {
	return (len(s.Only) == 0 || slices.Contains(s.Only, id)) && !slices.Contains(s.Skip, id)
}

func (s *Subject) calls() int { return cmp.Or(s.Calls, defaultCalls) }
