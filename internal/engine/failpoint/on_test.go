//go:build failpoints

package failpoint_test

import (
	"context"
	"fmt"
	"testing"

	"example.com/gatehouse/internal/engine/failpoint"
)

// TestHooks: failpoints call the hook of their own request, and none if it has
// none.
func TestHooks(t *testing.T) {
	t.Parallel()
	var got []string
	hook := func(webhook string, p failpoint.Point) { got = append(got, fmt.Sprintf("%s:%v", webhook, p)) }
	for _, ctx := range []context.Context{t.Context(), failpoint.With(t.Context(), hook)} {
		failpoint.Hit(ctx, failpoint.BeforeSnapshot)
		failpoint.Hit(failpoint.Visit(ctx, "one"), failpoint.Headers)
		failpoint.Hit(failpoint.Visit(failpoint.Visit(ctx, "one"), "two"), failpoint.AfterPatch)
	}
	if s := fmt.Sprint(got); s != "[:BeforeSnapshot one:Headers two:AfterPatch]" {
		t.Errorf("got %s", s)
	}
}
