package run

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/output"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// What --help says of run.
const (
	help = `Take objects through the webhooks of a configuration, one after the other, and
show which webhooks were called and what they did. Webhooks are called for
real; nothing else is.

Inputs are YAML or JSON files, folders with such files, or "-" for standard
input. Those after -f say what the cluster is like: webhook configurations,
Namespaces, CustomResourceDefinitions and RBAC objects. The arguments hold what
is to be admitted. They may hold the former too, and there Namespaces, CRDs and
RBAC objects are both: they describe the cluster, and are admitted in their turn.
Everything is read and checked before the first admission webhook is called.

Objects are created, unless flags say something else: --old, --patch and --apply
update, --operation DELETE deletes, --subresource sends to a subresource, and bodies
such as an Eviction or PodExecOptions go where they belong. With --operation UPDATE
and without --old, the arguments hold the old object and after it the new one. The
arguments may hold requests as well, with all that belongs to them: AdmissionRequests
of gatehouse/v1alpha1, and AdmissionReviews as webhooks receive them. docs/requests.md
tells more.

Built-in objects get the defaults that kube-apiserver gives them, as far as
docs/defaulting.md says, unless there is --no-defaulting.

The authorizer that matchConditions may ask answers from the RBAC objects among
the inputs, and without any of them with "deny". With --authorizer FILE those of
the file are added; "allow" and "deny" answer everybody alike.

Webhooks get no credentials unless --kubeconfig-auth names a kubeconfig. Its
users are named after hosts and ports, such as policy.webhooks.svc:443, after
domains, such as *.webhooks.svc, or "*" for all webhooks. The current context is
ignored, but with --exact its user is shown to all the others, as in a cluster.

With --admission-control-config-file a server's own configuration of its plugins
MutatingAdmissionWebhook and ValidatingAdmissionWebhook is used: the kubeconfigs in
it, unless --kubeconfig-auth is given, and the webhooks in its folders of static
manifests, which come before those among the inputs and may see policies too.

With --inject a fault server answers in place of a webhook: it is down, slow, or
lies. FAULT is a name that 'gatehouse faults' lists, or @FILE for a script of your
own. WEBHOOK is a name, for all webhooks that have it, or CONFIGURATION/NAME. What
else is configured for the webhook stays as it is, the URL in messages too, but
the webhook itself is not called and no credentials are shown.

-v says in short why webhooks were or were not called, and what they changed; --report
writes a page about it, also if something was denied. A file that is there already is
replaced if it is such a page. 'gatehouse explain' tells more.

The exit status is 0 if all objects were admitted, 1 if some were denied, 2 if
the command line or the input is wrong or an object in it cannot be converted, and
3 if gatehouse itself failed.`

	examples = `  # Create the objects of a file
  gatehouse run -f webhooks.yaml deployment.yaml

  # Print them as they would be stored, and hand them on
  gatehouse run -f webhooks.yaml -o yaml deployment.yaml | kubectl apply -f -

  # Reach a service of the cluster on this machine, and verify it with this CA
  gatehouse run -f webhooks.yaml --ca-file ca.crt \
    --resolve policy.webhooks.svc:443:127.0.0.1:8443 pod.yaml

  # Show the webhooks what a kubeconfig has for their hosts
  gatehouse run -f webhooks.yaml --kubeconfig-auth webhooks.kubeconfig pod.yaml

  # Use the credentials and the static manifests of a server
  gatehouse run -f webhooks.yaml --admission-control-config-file admission.yaml pod.yaml

  # See what the configuration makes of a webhook that is down
  gatehouse run -f webhooks.yaml --inject policy.example.com=refuse pod.yaml

  # Have a page about it to look at
  gatehouse run -f webhooks.yaml --report report.html pod.yaml

  # Update what is stored, and patch it
  gatehouse run -f webhooks.yaml --old stored.yaml deployment.yaml
  gatehouse run -f webhooks.yaml --patch '{spec: {replicas: 5}}' stored.yaml

  # Scale a deployment; connect to a pod, with a manifest of PodExecOptions
  gatehouse run -f webhooks.yaml --subresource scale --old stored.yaml deployment.yaml
  gatehouse run -f webhooks.yaml --name web exec.yaml

  # Delete as somebody else, without side effects
  gatehouse run -f webhooks.yaml --operation DELETE --dry-run \
    --as jane --as-group developers pod.yaml`
)

// New returns the command.
func New() *cobra.Command {
	o, e, format := session.NewOptions(), &extras{}, flags.Table
	cmd := &cobra.Command{
		Use:     "run [-f CONFIGS]... OBJECTS...",
		Short:   "Take objects through admission webhooks",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.AddClusterFlags(f)
	o.AddRequestFlags(f)
	o.AddCallFlags(f)
	f.StringVarP(&format, "output", "o", format, "`format`: table, yaml (the admitted objects) or json (everything)")
	f.BoolVarP(&e.verbose, "verbose", "v", false, "explain each object in short: below its rows, or on standard error with -o yaml and json")
	f.StringVar(&e.report, "report", "", "write a page for browsers, which explains everything, to this `file`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return &message.UsageError{Err: errors.New("nothing to admit: give files, folders or - as arguments")}
		}
		if f.Changed("report") && e.report == "" {
			return &message.UsageError{Err: errors.New("--report: the name of the file is empty")}
		}
		printer, err := e.printer(format, cmd.OutOrStdout(), cmd.ErrOrStderr())
		if err != nil {
			return &message.UsageError{Err: err}
		}
		o.Trace = e.verbose || e.report != ""
		o.Objects, o.Stdin, o.Stderr = args, cmd.InOrStdin(), cmd.ErrOrStderr()
		return run(cmd.Context(), o, printer)
	}
	return cmd
}

// extras are what else is printed.
type extras struct {
	verbose bool
	// report is a file; empty for none.
	report string
}

// printer returns what prints visits, and a mistake in the flags if there is one.
func (e *extras) printer(format string, stdout, stderr io.Writer) (output.Printer, error) {
	printer, ok := output.New(format, stdout, stderr)
	if !ok {
		return nil, fmt.Errorf("--output %q: want table, yaml or json", format)
	}
	if e.verbose {
		printer = output.Verbose(printer, format, stdout, stderr)
	}
	if e.report == "" {
		return printer, nil
	}
	printer, err := output.Report(printer, e.report)
	if err != nil {
		return nil, fmt.Errorf("--report: %w", err)
	}
	return printer, nil
}

// run admits what the options name and prints it.
func run(ctx context.Context, o *session.Options, printer output.Printer) error {
	s, err := session.Prepare(o)
	if err != nil {
		return err
	}
	defer s.Close()
	return output.Show(ctx, s, printer)
}
