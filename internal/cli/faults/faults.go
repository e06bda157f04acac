package faults

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/inject"
	"example.com/gatehouse/test/faultserver"
)

// New returns the command.
func New() *cobra.Command {
	output := flags.Table
	cmd := &cobra.Command{
		Use:   "faults [NAME]",
		Short: "List the faults that 'run --inject' can put in place of a webhook",
		Long: `List the faults that 'gatehouse run --inject WEBHOOK=FAULT' knows by name: first
those of connections, then of time, denials, HTTP, bodies, reviews, patches, warnings
and annotations, TLS and HTTP/2; aliases come last. The fault allow is not a fault: it
answers like a healthy webhook.

With a NAME, print the script of that fault as JSON. --inject WEBHOOK=@FILE takes a
changed copy of it; 'go doc example.com/gatehouse/test/faultserver.Script' documents the
format.

The exit status is 0 if the list or the script is printed, 2 if the command line is wrong, and
3 if gatehouse itself failed.`,
		Example: `  # List the faults
  gatehouse faults

  # Make a slower one
  gatehouse faults slow | sed s/5s/9s/ > slower.json
  gatehouse run -f webhooks.yaml --inject policy.example.com=@slower.json pod.yaml`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.Flags().StringVarP(&output, "output", "o", output,
		"`format` of the list: table or json (with the scripts)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		out, named := cmd.OutOrStdout(), len(args) > 0
		switch {
		case named && cmd.Flags().Changed("output") && output != flags.JSON:
			return usageError("--output %q: a script is always JSON", output)
		case named:
			f, err := inject.Fault(args[0])
			if err != nil {
				return &message.UsageError{Err: err}
			}
			return command.WriteJSON(out, f.Script)
		case output == flags.JSON:
			return command.WriteJSON(out, faultserver.Named())
		case output == flags.Table:
			return command.Write(out, faultTable(append(faultserver.Named(), aliases()...)))
		}
		return usageError("--output %q: want table or json", output)
	}
	return cmd
}

// aliases returns the second names of faults as rows of the table.
func aliases() []faultserver.Fault {
	var rows []faultserver.Fault
	names := inject.Aliases()
	for _, alias := range slices.Sorted(maps.Keys(names)) {
		rows = append(rows, faultserver.Fault{Name: alias, Summary: "the same as " + names[alias]})
	}
	return rows
}

func usageError(format, value string) error {
	return &message.UsageError{Err: fmt.Errorf(format, value)}
}

func faultTable(faults []faultserver.Fault) []byte {
	width := 0
	for _, f := range faults {
		width = max(width, len(f.Name))
	}
	var text bytes.Buffer
	for _, f := range faults {
		fmt.Fprintf(&text, "%-*s  %s\n", width, f.Name, f.Summary)
	}
	return text.Bytes()
}
