package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
)

// New returns the command.
func New() *cobra.Command {
	var serve bool
	var caFile string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show five effects of admission webhooks, or serve webhooks for gatehouse run",
		Long: `Serve the four webhooks of the quickstart on loopback, over TLS, admit its objects
as 'gatehouse run' does, and show five effects: a mutation, a reinvocation, a denial, a
failure that is ignored, and a warning.

With --serve the command keeps the webhooks running until ^C, writes the quickstart's
files to a temporary folder, and prints the command line that uses them.

The exit status is 0 if all five effects occurred or ^C ended --serve, 1 if an
effect did not occur, 2 if the command line is wrong or the webhooks do not start, and 3
if gatehouse itself failed.`,
		Example: `  # Show the effects
  gatehouse demo

  # Serve the webhooks, and write their CA to a file
  gatehouse demo --serve --write-ca ca.crt`,
		Args: command.NoArguments,
	}
	cmd.Flags().BoolVar(&serve, "serve", false,
		"serve the webhooks until ^C and print the command line for run")
	cmd.Flags().StringVar(&caFile, "write-ca", "",
		"with --serve: `file` to write the CA to (default: one beside the quickstart's files)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if caFile != "" && !serve {
			return &message.UsageError{Err: errors.New("--write-ca needs --serve")}
		}
		return run(cmd.Context(), serve, caFile, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

func run(ctx context.Context, serve bool, caFile string, stdout, stderr io.Writer) (err error) {
	s, err := newEnvironment(caFile)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer func() { err = errors.Join(err, s.close()) }()
	o := s.options()
	o.Stderr = stderr
	if serve {
		return serveWebhooks(ctx, s, o, stdout)
	}
	return showObjects(ctx, s, o, stdout)
}

// serveWebhooks serves until ctx ends, and then returns nil.
func serveWebhooks(ctx context.Context, s *environment, o *session.Options,
	stdout io.Writer) error {
	text := fmt.Sprintf("The webhooks of the quickstart listen on %s until ^C. To use them:\n\n  %s\n",
		s.server.Addr(), strings.Join(commandLine(o), " \\\n    "))
	if err := command.Write(stdout, []byte(text)); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// commandLine returns the command with these options, in parts that belong on
// one line each.
func commandLine(o *session.Options) []string {
	line := []string{fmt.Sprintf("gatehouse run -f %s %s", message.Quoted(o.Configs[0]),
		message.Quoted(o.Objects[0]))}
	line = append(line, "--ca-file "+message.Quoted(o.CAFile))
	for _, r := range o.Resolve {
		line = append(line, "--resolve "+r)
	}
	return line
}

// showObjects runs the quickstart and prints its effects.
func showObjects(ctx context.Context, s *environment, o *session.Options, stdout io.Writer) error {
	prepared, err := session.Prepare(o)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer prepared.Close()
	text := fmt.Sprintf("The objects of the quickstart, admitted through its webhooks on %s:\n\n",
		s.server.Addr())
	if err := command.Write(stdout, []byte(text)); err != nil {
		return err
	}
	found := effects{}
	err = prepared.Admit(ctx, func(v *session.Result) error {
		found.addVisit(v)
		return nil
	})
	if err != nil {
		return err
	}
	return showEffects(found, stdout)
}

// showEffects prints a line per effect and the next command. Its error names
// the missing effects.
func showEffects(found effects, stdout io.Writer) error {
	var text strings.Builder
	var missing []string
	for _, e := range allEffects() {
		if what, ok := found[e]; ok {
			fmt.Fprintf(&text, "%-13s %s\n", e, what)
		} else {
			missing = append(missing, string(e))
		}
	}
	text.WriteString("\nTo see it in full, keep the webhooks running and use the printed " +
		"command:\n\n  gatehouse demo --serve\n")
	if err := command.Write(stdout, []byte(text.String())); err != nil {
		return err
	}
	if len(missing) > 0 {
		return &message.DeniedError{Err: errors.New("demo: these effects did not occur: " + strings.Join(missing, ", "))}
	}
	return nil
}
