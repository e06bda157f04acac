// Command gatehouse-apiserver is the API server that `gatehouse serve` starts;
// package internal/cli/apiserver has all of it. It is a program of its own
// because it takes as long to compile, and is as large, as everything else.
package main

import (
	"context"

	"example.com/gatehouse/internal/cli/apiserver"
	"example.com/gatehouse/internal/cli/program"
)

func main() { program.Main(context.Background(), apiserver.New()) }
