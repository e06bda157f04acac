// Command gatehouse takes objects through admission webhooks as kube-apiserver
// would, without a cluster. `gatehouse --help` says more; package internal/cli
// has all of it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"example.com/gatehouse/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks to stop, the second one does not ask.
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
