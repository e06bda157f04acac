package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/routes"
)

// options are what `run` or `review` has been told. The demo fills them in itself.
type options struct {
	// configs and objects are files, folders or "-": those of -f and the
	// arguments.
	configs, objects []string
	// asking is what is asked of the objects.
	asking
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

	// instead answers in place of all webhooks; nil to call them. --inject and
	// credentials have no effect then.
	instead dispatcher.Client

	stdin io.Reader
	// stderr receives notices.
	stderr io.Writer
}

// defaultOptions are those of a command line without flags.
func defaultOptions() options {
	return options{asking: defaultAsking(), output: outputTable}
}

// check finds the mistakes that can be seen without opening a file.
func (o *options) check() error {
	if err := o.asking.check(); err != nil {
		return err
	}
	if o.readersOfStdin() > 1 {
		return errors.New(`standard input ("-") can be read only once`)
	}
	if _, err := o.routes(); err != nil {
		return err
	}
	_, err := parseInjections(o.inject)
	return err
}

// routes are the values of --resolve.
func (o *options) routes() (routes.Table, error) {
	t, err := routes.Parse(o.resolve)
	if err != nil {
		return nil, fmt.Errorf("--resolve %w", err)
	}
	return t, nil
}

func (o *options) readersOfStdin() int {
	readers := 0
	for _, path := range slices.Concat(o.configs, o.rbacFiles(), o.scriptFiles(), o.old, o.objects) {
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
