// Lifecycle serves the webhooks of examples/webhooks as a pod would, from the
// first call to the last, and is checked by the lifecycle checks of `gatehouse
// conformance`:
//
//	gatehouse conformance -f examples/webhooks/webhooks.yaml \
//	  --exec 'go run ./examples/lifecycle' examples/webhooks/samples
//
// With -broken it is a twin that has one fault, and fails one check:
//
//	--exec 'go run ./examples/lifecycle -broken C-DRAIN'
//
// It finds its port in PORT, the files of its certificate in TLS_CERT_FILE and
// TLS_KEY_FILE, and the address of a server that it asks about each review in
// BACKEND; without BACKEND it asks none.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"text/tabwriter"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatalf("lifecycle: %v", err)
	}
}

// run runs the command until the process has drained after SIGTERM.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("lifecycle", flag.ExitOnError)
	broken := flags.String("broken", "", "`ID` of the check that is to fail; by default none does")
	lag := flags.Duration("lag", 5*time.Second,
		"`time` to accept connections after SIGTERM, until all nodes know that the pod ends")
	list := flags.Bool("list", false, "list the broken twins, and end")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *list {
		return printTwins(out)
	}
	w := newWebhook(os.Getenv("TLS_CERT_FILE"), os.Getenv("TLS_KEY_FILE"), os.Getenv("BACKEND"), *lag)
	if *broken != "" {
		change, ok := twins()[*broken]
		if !ok {
			return fmt.Errorf("there is no twin that fails %q: -list lists them", *broken)
		}
		change.apply(w)
	}
	return w.serve("127.0.0.1:" + os.Getenv("PORT"))
}

func printTwins(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, id := range twinIDs() {
		fmt.Fprintf(w, "%s\t%s\n", id, twins()[id].difference)
	}
	return w.Flush()
}
