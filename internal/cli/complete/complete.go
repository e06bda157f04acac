package complete

import (
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/test/faultserver"
)

// Values completes a flag with values. One may have a description after a tab.
// A command without the flag panics.
func Values(cmd *cobra.Command, flag string, values ...string) {
	register(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// Webhooks completes a flag with the names of the webhooks in the files of -f,
// without and with their configuration. A command without the flag panics.
func Webhooks(cmd *cobra.Command, flag string, files *[]string) {
	register(cmd, flag, func(
		cmd *cobra.Command, _ []string, _ string,
	) ([]string, cobra.ShellCompDirective) {
		return webhooks(cmd, *files), cobra.ShellCompDirectiveNoFileComp
	})
}

// Faults completes WEBHOOK=FAULT. A command without the flag panics.
func Faults(cmd *cobra.Command, flag string, files *[]string) {
	register(cmd, flag, func(
		cmd *cobra.Command, _ []string, typed string,
	) ([]string, cobra.ShellCompDirective) {
		const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		webhook, _, named := strings.Cut(typed, "=")
		var all []string
		if named {
			for _, f := range faultserver.Named() {
				all = append(all, webhook+"="+f.Name+"\t"+f.Summary)
			}
			return all, directive
		}
		for _, name := range webhooks(cmd, *files) {
			all = append(all, name+"=")
		}
		return all, directive
	})
}

// Requests completes the flags of requests, and --authorizer. A command without
// them panics.
func Requests(cmd *cobra.Command) {
	Values(cmd, "operation", "CREATE", "UPDATE", "DELETE", "CONNECT")
	Values(cmd, "patch-type", "strategic", "merge", "json")
	Values(cmd, "field-validation", "Ignore", "Warn", "Strict")
	Values(cmd, "cascade", "background", "orphan", "foreground")
	Values(cmd, "dry-run", "server", "none")
	register(cmd, "authorizer", cobra.FixedCompletions([]string{"allow", "deny"}, cobra.ShellCompDirectiveDefault))
}

func register(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // the command has no such flag, in every process
	}
}

// webhooks returns the names of the webhooks in files.
func webhooks(cmd *cobra.Command, files []string) []string {
	var names []string
	for d := range documents(cmd, files) {
		if !webhookconfig.Is(d.Kind) {
			continue
		}
		configuration, problems := source.Parse(d.JSON)
		if len(problems) > 0 {
			continue
		}
		for _, w := range webhookconfig.Webhooks([]runtime.Object{configuration}) {
			names = append(names, w.Name, webhookconfig.FullName(w))
		}
	}
	return names
}
