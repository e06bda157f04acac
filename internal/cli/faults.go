package cli

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"example.com/gatehouse/test/faultserver"
)

func newFaults() *cobra.Command {
	output := outputTable
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
		case cmd.Flags().Changed("output") && output != outputJSON:
			err = fmt.Errorf("--output %q: a script is always JSON", output)
		default:
			text, err = showFault(args[0])
		}
		if err != nil {
			return misused(cmd, err)
		}
		return write(cmd.OutOrStdout(), text)
	}
	return cmd
}

// listFaults returns all faults, in a format that --output names.
func listFaults(format string) ([]byte, error) {
	switch format {
	case outputTable:
		return faultTable(faultserver.Named()), nil
	case outputJSON:
		return indented(faultserver.Named())
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
	f, err := findFault(name)
	if err != nil {
		return nil, err
	}
	return indented(f.Script)
}

// findFault returns the fault of that name. The error suggests others.
func findFault(name string) (faultserver.Fault, error) {
	f, ok := faultserver.Lookup(name)
	if ok {
		return f, nil
	}
	var names []string
	for _, f := range faultserver.Named() {
		names = append(names, f.Name)
	}
	hint := "'gatehouse faults' lists those that there are"
	if near := nearest(name, names); len(near) > 0 {
		hint = didYouMean(near)
	}
	return faultserver.Fault{}, fmt.Errorf("no fault is named %q: %s", name, hint)
}

// indented returns JSON for people to edit: markup stays what it is.
func indented(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("printing a fault: %w", err)
	}
	return text.Bytes(), nil
}
