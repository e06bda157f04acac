package webhooktest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/suite/golden"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Option describes the cluster of a suite, for New only, or how to reach its
// webhooks.
type Option func(*options)

// options are the combined Options.
type options struct {
	cluster suitefile.Suite
	// described are the options used that describe the cluster.
	described []string
	endpoints []endpoint
	goldens   *golden.Update // nil without UpdateGoldens
	serial    bool
	problems  []error
}

func optionsOf(all []Option) *options {
	o := &options{}
	for _, set := range all {
		set(o)
	}
	return o
}

// describe records an option that describes the cluster, and its error.
func (o *options) describe(option string, err error) {
	o.described = append(o.described, option)
	o.problems = append(o.problems, err)
}

// Files names files and folders that describe the cluster: webhook
// configurations, admission policies with their bindings and params,
// CustomResourceDefinitions, Namespaces and RBAC objects. Other objects are
// mistakes; in a folder they are logged and ignored. Paths are relative to the
// folder of the test.
func Files(paths ...string) Option {
	return func(o *options) {
		o.describe("Files", nil)
		o.cluster.Configs = append(o.cluster.Configs, paths...)
	}
}

// Objects are objects that describe the cluster, as in Files. A text may hold
// several.
func Objects(objects ...any) Option {
	at := caller()
	return func(o *options) {
		for i, object := range objects {
			documents, err := documentsOf(fmt.Sprintf("%s: Objects[%d]", at, i), object)
			o.describe("Objects", err)
			o.cluster.Inline = append(o.cluster.Inline, documents...)
		}
	}
}

// Namespace describes a namespace by its labels; kubernetes.io/metadata.name is
// added. Namespaces that are not described exist, with no other label.
func Namespace(name string, labels map[string]string) Option {
	at := caller()
	return func(o *options) {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
		document, err := documentOf(at+": Namespace", ns)
		o.describe("Namespace", err)
		o.cluster.Inline = append(o.cluster.Inline, document)
	}
}

// Authorizer sets the result of all authorizer checks in matchConditions:
// "allow" or "deny". The default are the RBAC objects, or "deny" without any.
func Authorizer(answer string) Option {
	return func(o *options) {
		var err error
		if answer != "allow" && answer != "deny" {
			err = fmt.Errorf("Authorizer(%q): must be allow or deny", answer)
		}
		o.describe("Authorizer", err)
		o.cluster.Authorizer = answer
	}
}

// Handler serves webhooks with an http.Handler in-process, for example with the
// mux of their server: requests have the configured path.
//
// Each webhook is a NAME, for all webhooks of that name, or CONFIGURATION/NAME.
// Without any it is for all webhooks that no other option names, except for
// those to which a suite in a file gives an address.
func Handler(h http.Handler, webhooks ...string) Option {
	return endpointOption(endpoint{option: "Handler", webhooks: webhooks, handler: h})
}

// ServedBy calls webhooks at a Server, for tests that need connections. The
// webhooks are as for Handler.
func ServedBy(s *Server, webhooks ...string) Option {
	if s == nil {
		s = &Server{}
	}
	return endpointOption(
		endpoint{option: "ServedBy", webhooks: webhooks, address: s.Address, ca: s.CABundle})
}

// Address calls webhooks at HOST:PORT, where the test has started a server by
// other means. Its certificate must be valid for the configured name, and
// signed by the CA, in PEM; nil is the webhook's own caBundle. The webhooks are
// as for Handler.
func Address(address string, ca []byte, webhooks ...string) Option {
	return endpointOption(endpoint{option: "Address", webhooks: webhooks, address: address, ca: ca})
}

// endpointOption returns an option for an endpoint.
func endpointOption(w endpoint) Option {
	w.webhooks = slices.Clone(w.webhooks)
	return func(o *options) {
		o.problems = append(o.problems, w.check(o.endpoints)...)
		o.endpoints = append(o.endpoints, w)
	}
}

// UpdateGoldens writes golden files instead of comparing them, for cases that
// pass otherwise. The cases run sequentially: the first one with a file writes
// it, and later ones, also of other suites of Run, are compared with it. yes is
// usually a flag of the test.
func UpdateGoldens(yes bool) Option {
	return func(o *options) {
		if o.goldens = nil; yes {
			o.goldens = &golden.Update{}
		}
	}
}

// Serial runs the cases sequentially, for webhooks with state.
func Serial() Option { return func(o *options) { o.serial = true } }

// check returns the mistakes in the options.
func (o *options) check() error { return errors.Join(o.problems...) }

// onlyEndpoints rejects options that describe a cluster.
func (o *options) onlyEndpoints() error {
	if len(o.described) == 0 {
		return nil
	}
	return fmt.Errorf("%s: the suites say themselves what their clusters are like",
		strings.Join(o.described, ", "))
}
