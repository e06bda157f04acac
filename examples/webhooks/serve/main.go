// Serve serves the webhooks of examples/webhooks, or one of their twins, on
// loopback until ^C or SIGTERM, and prints a command that checks them:
//
//	go run ./examples/webhooks/serve
//	go run ./examples/webhooks/serve -broken C-UID
//
// It writes the certificate of a new authority and the configurations to a
// folder, and removes the folder at the end.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"example.com/gatehouse/examples/webhooks"
)

func main() {
	broken := flag.String("broken", "", "`ID` of the check that is to fail; by default none does")
	address := flag.String("addr", "127.0.0.1:0", "`address` to serve on; port 0 is one that is free")
	list := flag.Bool("list", false, "list the broken twins, and end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, options{*broken, *address, *list}, os.Stdout); err != nil {
		log.Fatalf("serve: %v", err)
	}
}

type options struct {
	broken, address string
	list            bool
}

// run runs the command until ctx ends, and then returns nil.
func run(ctx context.Context, o options, out io.Writer) error {
	if o.list {
		return list(out)
	}
	server, err := choose(o.broken)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "webhooks")
	if err != nil {
		return err
	}
	return errors.Join(serve(ctx, server, o.address, folder, out), os.RemoveAll(folder))
}

// list prints a line for each twin.
func list(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, twin := range webhooks.Twins() {
		fmt.Fprintf(w, "%s\t%s\n", twin.ID, twin.Difference)
	}
	return w.Flush()
}

// choose returns the correct webhooks, or the twin of a check.
func choose(broken string) (*webhooks.Server, error) {
	if broken == "" {
		return webhooks.New(), nil
	}
	twins := webhooks.Twins()
	i := slices.IndexFunc(twins, func(twin webhooks.Twin) bool { return twin.ID == broken })
	if i < 0 {
		return nil, fmt.Errorf("there is no twin that fails %q: -list lists them", broken)
	}
	return twins[i].Server(), nil
}

// serve serves until ctx ends.
func serve(ctx context.Context, server *webhooks.Server, address, folder string,
	out io.Writer) error {
	running, err := server.Start(address, folder)
	if err != nil {
		return err
	}
	fmt.Fprint(out, invitation(running))
	select {
	case <-ctx.Done():
		return running.Close()
	case err := <-running.Done():
		return errors.Join(err, running.Close())
	}
}

// invitation returns the command that checks the webhooks.
func invitation(r *webhooks.Running) string {
	lines := []string{"go run ./cmd/gatehouse conformance", "-f " + r.Configuration,
		"--ca-file " + r.CAFile}
	for _, route := range r.Resolve() {
		lines = append(lines, "--resolve "+route)
	}
	lines = append(lines, "--observe "+r.Ledger(), "examples/webhooks/samples")
	return "serving until ^C; to look at the webhooks:\n\n" + strings.Join(lines, " \\\n  ") + "\n"
}
