package source

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRandomChanges applies random changes, few or many at once. The snapshot
// must equal one that is built from scratch, and stay the same one if nothing
// changed.
func TestRandomChanges(t *testing.T) {
	t.Parallel()
	t.Run("many configurations", func(t *testing.T) {
		t.Parallel()
		changeAtRandom(t, 90, 2)
	})
	// Often none is left, or none for the moment.
	t.Run("few configurations", func(t *testing.T) {
		t.Parallel()
		changeAtRandom(t, 2, 20)
	})
}

// changeAtRandom changes so many configurations, each with at most so many
// webhooks.
func changeAtRandom(t *testing.T, configurations, webhooks int) {
	random := rand.New(rand.NewSource(1))
	c, wanted := newSnapshotBuilder(), map[configurationKey]any{}
	for step := range 500 {
		before, err := c.snapshot()
		if err != nil {
			t.Fatal(err)
		}
		changes := random.Intn(4)
		if step%20 == 0 {
			changes = 100
		}
		for range changes {
			kind := []string{mutatingKind, validatingKind}[random.Intn(2)]
			id := configurationKey{kind, fmt.Sprintf("c%02d", random.Intn(configurations))}
			if random.Intn(3) == 0 {
				delete(wanted, id)
				continue
			}
			wanted[id] = withWebhooks(id, step, random.Intn(webhooks+1))
		}
		c.readAll(wanted)
		got, err := c.snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if changes == 0 && got != before {
			t.Fatalf("step %d: nothing has changed but the snapshot", step)
		}
		atOnce := newSnapshotBuilder()
		atOnce.readAll(wanted)
		want, err := atOnce.snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(orderOf(want), orderOf(got)); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", step, diff)
		}
	}
}

// withWebhooks is a configuration with n webhooks, which are not those of another
// step.
func withWebhooks(id configurationKey, step, n int) any {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(step, "-", i)
	}
	if id.kind == mutatingKind {
		return mutating(id.name, names...)
	}
	return validating(id.name, names...)
}

// readAll reads configurations of both kinds, in random order.
func (c *snapshotBuilder) readAll(all map[configurationKey]any) {
	lists := map[string][]any{}
	for id, configuration := range all {
		lists[id.kind] = append(lists[id.kind], configuration)
	}
	c.mutating.read(lists[mutatingKind])
	c.validating.read(lists[validatingKind])
}
