// Command gatehouse takes objects through admission webhooks as kube-apiserver
// would, without a cluster. `gatehouse --help` says more; package internal/cli
// has all of it.
package main

import (
	"context"

	"example.com/gatehouse/internal/cli"
	"example.com/gatehouse/internal/cli/program"
)

func main() { program.Main(context.Background(), cli.New()) }
