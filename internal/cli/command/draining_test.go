package command

import (
	"context"
	"testing"
	"time"
)

// TestDraining: the channel is closed by Draining, and only then.
func TestDraining(t *testing.T) {
	t.Parallel()
	ctx, drains := AllowDraining(t.Context())
	select {
	case <-drains:
		t.Error("the channel is closed before Draining")
	default:
	}
	derived, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	Draining(derived)
	Draining(derived) // twice does no harm
	<-drains
	Draining(t.Context()) // without AllowDraining, has no effect
}
