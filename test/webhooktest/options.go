package webhooktest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/suite/suitefile"
)

// Option says something about a suite: what its cluster is like, which only New is to be
// told, or how its webhooks are reached.
type Option func(*options)

// options are what all Options together say.
type options struct {
	cluster suitefile.Suite
	// described are the names of the options that describe the cluster.
	described []string
	ways      []way
	update    bool
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

// describe notes that an option describes the cluster, and what is wrong with it.
func (o *options) describe(option string, err error) {
	o.described = append(o.described, option)
	o.problems = append(o.problems, err)
}

// Files names files and folders that say what the cluster is like: webhook configurations,
// CustomResourceDefinitions, Namespaces and RBAC objects. Other objects are mistakes, but
// for those in folders, which are logged and left alone. Paths are relative to the folder of
// the test, as in all tests.
func Files(paths ...string) Option {
	return func(o *options) {
		o.describe("Files", nil)
		o.cluster.Configs = append(o.cluster.Configs, paths...)
	}
}

// Objects gives objects that say what the cluster is like, as Files does. A text may hold
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

// Namespace describes a namespace by its labels. kubernetes.io/metadata.name is among them
// in any case. A namespace that nobody describes is there as well, with no other label.
func Namespace(name string, labels map[string]string) Option {
	at := caller()
	return func(o *options) {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
		document, err := documentOf(at+": Namespace", ns)
		o.describe("Namespace", err)
		o.cluster.Inline = append(o.cluster.Inline, document)
	}
}

// Authorizer gives all checks in matchConditions one answer: "allow" or "deny". By default
// RBAC objects answer, and if there are none it is no.
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

// Handler has an http.Handler answer in place of webhooks, without a connection: for example
// the mux of their server, as requests have the path that is configured.
//
// Each webhook is a name, for all that have it, or CONFIGURATION/NAME. Without any it is all
// webhooks that no other option names, but for those to which a suite in a file gives an
// address: they stay there.
func Handler(h http.Handler, webhooks ...string) Option {
	return reach(way{option: "Handler", webhooks: webhooks, handler: h})
}

// ServedBy has webhooks called at a Server, for what only connections show. The webhooks are
// as for Handler.
func ServedBy(s *Server, webhooks ...string) Option {
	if s == nil {
		s = &Server{}
	}
	return reach(way{option: "ServedBy", webhooks: webhooks, address: s.Address, ca: s.CABundle})
}

// Address has webhooks called at an address, HOST:PORT, where something listens that the
// test has started by other means. Its certificate has to have the name that is configured,
// and be of the CA, in PEM; nil for the webhook's own caBundle. The webhooks are as for
// Handler.
func Address(address string, ca []byte, webhooks ...string) Option {
	return reach(way{option: "Address", webhooks: webhooks, address: address, ca: ca})
}

// reach is an option that says how webhooks are reached.
func reach(w way) Option {
	w.webhooks = slices.Clone(w.webhooks)
	return func(o *options) {
		o.problems = append(o.problems, w.check(o.ways)...)
		o.ways = append(o.ways, w)
	}
}

// UpdateGoldens says whether golden files are written in place of compared; only those of
// cases in which all else is as wanted. It is usually the value of a flag of the test.
func UpdateGoldens(yes bool) Option { return func(o *options) { o.update = yes } }

// Serial has one case after the other make its request, for webhooks that remember.
func Serial() Option { return func(o *options) { o.serial = true } }

// check returns what is wrong with the options.
func (o *options) check() error { return errors.Join(o.problems...) }

// onlyWays reports options that describe a cluster.
func (o *options) onlyWays() error {
	if len(o.described) == 0 {
		return nil
	}
	return fmt.Errorf("%s: the suites say themselves what their clusters are like", strings.Join(o.described, ", "))
}
