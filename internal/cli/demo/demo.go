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
		Short: "See five effects of admission webhooks, or serve webhooks to try run with",
		Long: `Serve the four webhooks of the quickstart on this machine, over TLS, take its
objects through them as 'gatehouse run' does, and show what happened: a mutation,
a reinvocation, a denial, a failure that is ignored, and a warning.

With --serve the webhooks stay until ^C, together with the quickstart's files in
a temporary folder, and the command line that uses them is printed.

The exit status is 0 if all five effects were seen and 1 if not.`,
		Example: `  # Show the effects
  gatehouse demo

  # Serve the webhooks, and put their CA into a file
  gatehouse demo --serve --ca-file ca.crt`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&serve, "serve", false, "serve the webhooks until ^C and print the command line for run")
	cmd.Flags().StringVar(&caFile, "ca-file", "", "with --serve: `file` to write the CA to (default: one beside the quickstart's files)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if caFile != "" && !serve {
			return &message.UsageError{Err: errors.New("--ca-file is for --serve")}
		}
		return run(cmd.Context(), serve, caFile, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

func run(ctx context.Context, serve bool, caFile string, stdout, stderr io.Writer) (err error) {
	s, err := openStand(caFile)
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

// serveWebhooks keeps the webhooks running. Being interrupted is how it ends well.
func serveWebhooks(ctx context.Context, s *stand, o *session.Options, stdout io.Writer) error {
	text := fmt.Sprintf("The quickstart's webhooks are served on %s until ^C. To use them:\n\n  %s\n",
		s.server.Addr(), strings.Join(commandLine(o), " \\\n    "))
	if err := command.Write(stdout, []byte(text)); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// commandLine returns the command that does what the options of a stand say, in
// pieces that belong on a line.
func commandLine(o *session.Options) []string {
	line := []string{fmt.Sprintf("gatehouse run -f %s %s", message.Quoted(o.Configs[0]), message.Quoted(o.Objects[0]))}
	line = append(line, "--ca-file "+message.Quoted(o.CAFile))
	for _, r := range o.Resolve {
		line = append(line, "--resolve "+r)
	}
	return line
}

// showObjects runs the quickstart and prints its effects.
func showObjects(ctx context.Context, s *stand, o *session.Options, stdout io.Writer) error {
	prepared, err := session.Prepare(o)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer prepared.Close()
	text := fmt.Sprintf("The objects of the quickstart, through its webhooks on %s:\n\n", s.server.Addr())
	if err := command.Write(stdout, []byte(text)); err != nil {
		return err
	}
	found := effects{}
	err = prepared.Admit(ctx, func(v *session.Visit) error {
		found.look(v)
		return nil
	})
	if err != nil {
		return err
	}
	return showEffects(found, stdout)
}

// showEffects prints a line per effect, and how to go on. Its error names what
// was not seen.
func showEffects(found effects, stdout io.Writer) error {
	var text strings.Builder
	var missing []string
	for _, e := range allEffects() {
		if what, ok := found[e]; ok {
			fmt.Fprintf(&text, "%-13s %s\n", e, what)
		} else {
			missing = append(missing, e.String())
		}
	}
	text.WriteString("\nTo see it in full, keep the webhooks running and use the command that is printed:\n\n  gatehouse demo --serve\n")
	if err := command.Write(stdout, []byte(text.String())); err != nil {
		return err
	}
	if len(missing) > 0 {
		return &message.DeniedError{Err: errors.New("demo: not seen: " + strings.Join(missing, ", "))}
	}
	return nil
}
