package faults

import (
	"bytes"
	"fmt"

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
those of reaching a webhook, then of time, denials, HTTP, bodies, reviews,
patches, warnings and annotations, TLS and HTTP/2.

With a NAME, print the script of that fault as JSON. A copy of it, changed to
your needs, is what --inject WEBHOOK=@FILE takes; 'go doc
example.com/gatehouse/test/faultserver.Script' says what it can hold.`,
		Example: `  # List the faults
  gatehouse faults

  # Make a slower one
  gatehouse faults slow | sed s/5s/9s/ > slower.json
  gatehouse run -f webhooks.yaml --inject policy.example.com=@slower.json pod.yaml`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.Flags().StringVarP(&output, "output", "o", output, "`format` of the list: table or json (with the scripts)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var text []byte
		var err error
		switch {
		case len(args) == 0:
			text, err = listFaults(output)
		case cmd.Flags().Changed("output") && output != flags.JSON:
			err = fmt.Errorf("--output %q: a script is always JSON", output)
		default:
			text, err = showFault(args[0])
		}
		if err != nil {
			return &message.UsageError{Err: err}
		}
		return command.Write(cmd.OutOrStdout(), text)
	}
	return cmd
}

// listFaults returns all faults, in a format that --output names.
func listFaults(format string) ([]byte, error) {
	switch format {
	case flags.Table:
		return faultTable(faultserver.Named()), nil
	case flags.JSON:
		return printed(faultserver.Named())
	}
	return nil, fmt.Errorf("--output %q: want table or json", format)
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

// showFault returns the script of a fault.
func showFault(name string) ([]byte, error) {
	f, err := inject.Fault(name)
	if err != nil {
		return nil, err
	}
	return printed(f.Script)
}

// printed returns JSON for people to edit.
func printed(v any) ([]byte, error) {
	text, err := command.Indented(v)
	if err != nil {
		return nil, fmt.Errorf("printing a fault: %w", err)
	}
	return text, nil
}
