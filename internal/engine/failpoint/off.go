//go:build !failpoints

package failpoint

import "context"

// Hit does nothing in this build.
func Hit(context.Context, Point) {}

// Visit returns ctx in this build.
func Visit(ctx context.Context, _ string) context.Context { return ctx }
