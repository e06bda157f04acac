package run

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/complete"
	"example.com/gatehouse/internal/cli/output"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// The texts of --help.
const (
	help = `Admit objects through the webhooks of a configuration, one after the other, and show
which webhooks were called and what they did. Webhooks are called for real; nothing else
is.

Inputs are YAML or JSON files, folders with such files, or "-" for standard input. -R
reads the folders in folders as well. Inputs after -f describe the cluster: webhook
configurations, Namespaces, CustomResourceDefinitions and RBAC objects; others are
ignored. The arguments are the objects to admit; those
of them that describe a cluster do that, too. All inputs are read and checked before the
first webhook is called.

By default objects are created; docs/requests.md describes updates, deletions,
subresources and whole requests as inputs. Built-in objects get kube-apiserver's
defaults; custom resources are pruned, defaulted and validated by the schema of their
CustomResourceDefinition. docs/defaulting.md describes both.

The authorizer for matchConditions decides by the RBAC objects among the inputs, and
denies everything without any. --authorizer FILE adds those of the file; "allow" and
"deny" answer all users alike.

Webhooks get no credentials unless --kubeconfig-auth names a kubeconfig. The names of its
users are hosts and ports, such as policy.webhooks.svc:443, domains, such as
*.webhooks.svc, or "*" for all webhooks. The current context is ignored; with --exact,
all other webhooks get its user, as in a cluster.

--admission-control-config-file names a server's configuration of its webhook plugins.
The command uses the kubeconfigs in it, unless --kubeconfig-auth is given, and the
webhooks in its folders of static manifests.

The command connects only to this machine, that is to loopback addresses and localhost,
and to the targets of --resolve. It does not reach webhooks elsewhere, and looks up no
other names, unless you pass --connect-anywhere. A verdict that depends on a webhook that
was not reached is not known.

--inject WEBHOOK=FAULT replaces a webhook by a server that is down, slow, or returns
wrong answers. 'gatehouse faults' lists the faults, and docs/faults.md describes them.

The exit status is 0 if all objects were admitted, 1 if one was denied, 2 if the command
line or the input is wrong, 3 if gatehouse itself failed, and 4 if no object was denied,
but a webhook was not reached.`

	examples = `  # Create the objects of a file
  gatehouse run -f webhooks.yaml deployment.yaml

  # Create the samples of a kubebuilder project
  gatehouse run -R -f config/ --ca-file ca.crt \
    --resolve webhook-service.system.svc:443:127.0.0.1:9443 config/samples

  # Print them as they would be stored, and apply them
  gatehouse run -f webhooks.yaml -o yaml deployment.yaml | kubectl apply -f -

  # Reach a service of the cluster on this machine, and verify it with this CA
  gatehouse run -f webhooks.yaml --ca-file ca.crt \
    --resolve policy.webhooks.svc:443:127.0.0.1:8443 pod.yaml

  # Call the webhooks of the cluster itself
  gatehouse run -f webhooks.yaml --connect-anywhere pod.yaml

  # Send the webhooks the credentials of a kubeconfig
  gatehouse run -f webhooks.yaml --kubeconfig-auth webhooks.kubeconfig pod.yaml

  # Use the credentials and the static manifests of a server
  gatehouse run -f webhooks.yaml --admission-control-config-file admission.yaml pod.yaml

  # See the effect of a webhook that is down
  gatehouse run -f webhooks.yaml --inject policy.example.com=refuse pod.yaml

  # Write an HTML page
  gatehouse run -f webhooks.yaml --report report.html pod.yaml

  # Update a stored object, and patch it
  gatehouse run -f webhooks.yaml --old stored.yaml deployment.yaml
  gatehouse run -f webhooks.yaml --patch '{spec: {replicas: 5}}' stored.yaml

  # Scale a deployment; connect to a pod, with a manifest of PodExecOptions
  gatehouse run -f webhooks.yaml --subresource scale --old stored.yaml deployment.yaml
  gatehouse run -f webhooks.yaml --name web exec.yaml

  # Delete as another user, without side effects
  gatehouse run -f webhooks.yaml --operation DELETE --dry-run \
    --as jane --as-group developers pod.yaml`
)

// New returns the command.
func New() *cobra.Command {
	o, p := session.NewOptions(), &printing{format: flags.Table}
	cmd := &cobra.Command{
		Use:     "run [-f CONFIGS]... OBJECTS...",
		Short:   "Admit objects through admission webhooks",
		Long:    help,
		Example: examples,
		Args:    command.Inputs("admit"),
	}
	f := cmd.Flags()
	o.AddClusterFlags(f)
	o.AddRequestFlags(f)
	o.AddCallFlags(f)
	f.StringVarP(&p.format, "output", "o", p.format,
		"`format`: table, yaml (the admitted objects) or json (everything)")
	f.BoolVarP(&p.verbose, "verbose", "v", false,
		"explain each object in short: below its rows, or on standard error with -o yaml and json")
	f.StringVar(&p.report, "report", "",
		"write an HTML page that explains everything to this `file`")
	complete.Requests(cmd)
	complete.Faults(cmd, "inject", &o.Configs)
	complete.Values(cmd, "output", flags.Table, flags.YAML, flags.JSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.Changed("report") && p.report == "" {
			return &message.UsageError{Err: errors.New("--report: the name of the file is empty")}
		}
		printer, err := p.printer(cmd)
		if err != nil {
			return &message.UsageError{Err: err}
		}
		o.Trace = p.verbose || p.report != ""
		o.Objects, o.Stdin, o.Stderr = args, cmd.InOrStdin(), cmd.ErrOrStderr()
		s, err := session.Prepare(o)
		if err != nil {
			return err
		}
		defer s.Close()
		return output.Show(cmd.Context(), s, printer)
	}
	return cmd
}

// printing are the flags for the output.
type printing struct {
	format  string
	verbose bool
	// report is the file of --report; may be empty.
	report string
}

// printer returns the printer for the flags, or a mistake in them.
func (p *printing) printer(cmd *cobra.Command) (output.Printer, error) {
	stdout, stderr := cmd.OutOrStdout(), cmd.ErrOrStderr()
	printer, ok := output.New(p.format, command.Colors(cmd, stdout), stdout, stderr)
	if !ok {
		return nil, fmt.Errorf("--output %q: want table, yaml or json", p.format)
	}
	if p.verbose {
		printer = output.Verbose(printer, p.format, stdout, stderr)
	}
	if p.report == "" {
		return printer, nil
	}
	printer, err := output.Report(printer, p.report)
	if err != nil {
		return nil, fmt.Errorf("--report: %w", err)
	}
	return printer, nil
}
