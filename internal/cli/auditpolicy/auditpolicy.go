package auditpolicy

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/auditlog/policy"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// The texts of --help.
const (
	help = `Print the smallest audit policy that logs what 'gatehouse audit' needs about the webhooks and
policies in the files: patches, bodies and responses where webhooks change objects, and denials
and failures for the rest. The policy never logs bodies of Secrets and tokens. Pass it to
kube-apiserver with --audit-policy-file.

With --policy, the command instead says what another audit policy leaves out.

The exit status is 0 if the policy was printed or the policy of --policy leaves nothing out, 1 if
the policy of --policy leaves something out, 2 if the command line or an input is wrong, and 3 if
gatehouse itself failed.`

	examples = `  # Print the policy
  gatehouse audit-policy -f config/ > audit-policy.yaml

  # What does the policy of the cluster leave out?
  gatehouse audit-policy -f config/ --policy /etc/kubernetes/audit-policy.yaml`
)

type options struct {
	files  flags.Files
	policy string
}

// New returns the command.
func New() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:     "audit-policy [-f] FILES...",
		Short:   "Print the audit policy that gatehouse audit needs, or check another one",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	f := cmd.Flags()
	o.files.Add(f, "`file` or folder with webhook configurations and policies, or -; repeatable")
	f.StringVar(&o.policy, "policy", "", "audit policy `file` to compare with")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.files.Take(args, "read"); err != nil {
			return &message.UsageError{Err: err}
		}
		return o.run(cmd)
	}
	return cmd
}

func (o *options) run(cmd *cobra.Command) error {
	in, err := inventory.Read(inventory.Files{
		Paths: o.files.Paths, Stdin: cmd.InOrStdin(), Recursive: o.files.Recursive})
	if err != nil {
		return &message.InputError{Err: err}
	}
	defer in.Close()
	needs := policy.Needs(rules(in))
	if len(needs) == 0 {
		return &message.InputError{
			Err: errors.New("the inputs have neither a webhook nor a policy with rules")}
	}
	if o.policy != "" {
		return o.compare(cmd, needs)
	}
	text, err := policy.Text(needs)
	if err != nil {
		return err
	}
	return command.Write(cmd.OutOrStdout(), text)
}

// rules returns the rules of all webhooks and policies.
func rules(in *inventory.Inventory) []policy.Rule {
	var all []policy.Rule
	for _, w := range in.Webhooks {
		for _, r := range w.Rules {
			all = append(all, policy.Rule{RuleWithOperations: r, Mutating: w.Phase == admission.Mutating})
		}
	}
	for _, object := range in.Cluster.Policies {
		switch p := object.(type) {
		case *registrationv1.ValidatingAdmissionPolicy:
			all = appendRules(all, p.Spec.MatchConstraints, false)
		case *registrationv1.MutatingAdmissionPolicy:
			all = appendRules(all, p.Spec.MatchConstraints, true)
		}
	}
	return all
}

func appendRules(
	all []policy.Rule, match *registrationv1.MatchResources, mutating bool,
) []policy.Rule {
	if match == nil {
		return all
	}
	for _, r := range match.ResourceRules {
		all = append(all, policy.Rule{RuleWithOperations: r.RuleWithOperations, Mutating: mutating})
	}
	return all
}

// compare says what the policy of --policy leaves out.
func (o *options) compare(cmd *cobra.Command, needs []policy.Need) error {
	text, err := os.ReadFile(o.policy)
	if err != nil {
		return &message.InputError{Err: fmt.Errorf("--policy: %w", message.ReadError(err).Err)}
	}
	gaps, err := policy.Missing(needs, text)
	if err != nil {
		return &message.InputError{Err: fmt.Errorf("%s: %w", message.Quoted(o.policy), err)}
	}
	if len(gaps) == 0 {
		return command.Write(cmd.OutOrStdout(), []byte("the policy leaves nothing out\n"))
	}
	var out bytes.Buffer
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "RESOURCE\tVERB\tLEVEL\tNEEDED\tFOR EXAMPLE")
	for _, g := range gaps {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\tin %s by %s\n", message.Escaped(g.Resource), g.Verb, g.Got,
			g.Want, g.Namespace, g.User)
	}
	_ = table.Flush() // a Buffer does not fail
	if err := command.Write(cmd.OutOrStdout(), out.Bytes()); err != nil {
		return err
	}
	return message.ErrDenied
}
