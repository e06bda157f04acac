package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/validation"
)

// options are what `run` has been told. The demo fills them in itself.
type options struct {
	// configs and objects are files, folders or "-": those of -f and the
	// arguments.
	configs, objects []string
	// namespace is given to namespaced objects that name none.
	namespace string
	// operation is CREATE or DELETE.
	operation string
	// user, uid and groups say who asks.
	user, uid string
	groups    []string
	dryRun    bool
	// resolve are the values of --resolve, not parsed yet.
	resolve []string
	// inject are the values of --inject, not parsed yet.
	inject []string
	// caFile is for webhooks without a caBundle; empty for none.
	caFile string
	// kubeconfigAuth is a kubeconfig with the credentials for webhooks; empty
	// for none.
	kubeconfigAuth string
	// admissionConfig is a server's AdmissionConfiguration, with credentials and
	// static manifests; empty for none.
	admissionConfig string
	// exact has everything done as kube-apiserver does, where that is less safe.
	exact bool
	// authorizer is allow, deny, a file with RBAC objects, or empty.
	authorizer string
	// output names a printer.
	output string

	stdin io.Reader
	// stderr receives notices.
	stderr io.Writer
}

// defaultOptions are those of a command line without flags.
func defaultOptions() options {
	return options{
		namespace: "default",
		operation: string(admissionv1.Create),
		user:      defaultUser,
		output:    outputTable,
	}
}

// check finds the mistakes that can be seen without opening a file.
func (o *options) check() error {
	operations := []string{string(admissionv1.Create), string(admissionv1.Delete)}
	if !slices.Contains(operations, o.operation) {
		return fmt.Errorf("--operation %q: want CREATE or DELETE", o.operation)
	}
	if _, ok := newPrinters()[o.output]; !ok {
		return fmt.Errorf("--output %q: want table, yaml or json", o.output)
	}
	if problems := validation.ValidateNamespaceName(o.namespace, false); len(problems) > 0 {
		return fmt.Errorf("--namespace %q: %s", o.namespace, problems[0])
	}
	if o.user == "" {
		return errors.New(`--as "": a request needs a user`)
	}
	if o.readersOfStdin() > 1 {
		return errors.New(`standard input ("-") can be read only once`)
	}
	if _, err := parseRoutes(o.resolve); err != nil {
		return err
	}
	_, err := parseInjections(o.inject)
	return err
}

func (o *options) readersOfStdin() int {
	readers := 0
	for _, path := range slices.Concat(o.configs, o.rbacFiles(), o.scriptFiles(), o.objects) {
		if path == "-" {
			readers++
		}
	}
	return readers
}

// rbacFiles returns the file of --authorizer, if it is one.
func (o *options) rbacFiles() []string {
	switch o.authorizer {
	case "", authorizerAllow, authorizerDeny:
		return nil
	}
	return []string{o.authorizer}
}
