package command

import (
	"context"
	"testing"
	"time"
)

// TestDraining: a command that has said so is waited for, and nobody else.
func TestDraining(t *testing.T) {
	t.Parallel()
	ctx, drains := AllowDraining(t.Context())
	select {
	case <-drains:
		t.Error("nobody has said so yet")
	default:
	}
	derived, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	Draining(derived)
	Draining(derived) // twice does no harm
	<-drains
	Draining(t.Context()) // of a command that nobody would wait for
}
