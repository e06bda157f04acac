package cli

import (
	"context"
	"io"

	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

// execute runs the command in this process.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return program.Run(ctx, New(), args, stdin, stdout, stderr)
}
