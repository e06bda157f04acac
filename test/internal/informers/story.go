package informers

import "time"

// Story is the steps that show a fault: before a source is ready, and twice while
// objects change, so that informers have to list again. What they find then are
// changes, renamed objects and deletions.
func Story(f Fault) []Step {
	all := func(kind WriteKind, slots ...int) (writes []Write) {
		for _, r := range []Resource{Mutating, Validating, Policies, Namespaces} {
			for _, slot := range slots {
				writes = append(writes, Write{r, slot, kind})
			}
		}
		return writes
	}
	return []Step{
		{Write: all(Put, 0, 1, 2), Fail: f, Wait: 10 * time.Minute},
		{Fail: Healthy, Wait: 5 * time.Minute},
		{Write: all(Put, 0, 3), Wait: time.Minute},
		{Fail: f, Wait: time.Second},
		{Write: all(Rename, 0, 1), Wait: time.Minute},
		{Compact: true, Wait: 5 * time.Minute},
		{Write: all(Delete, 2, 3), Wait: time.Minute},
		{Write: all(Put, 1), Restart: true, Wait: 5 * time.Minute},
		{Fail: Healthy, Wait: 5 * time.Minute},
		{Write: all(Rename, 0, 1), Compact: true, Wait: 5 * time.Minute},
		// A list that has a change of every object.
		{Fail: Refused, Write: all(Put, 2), Wait: time.Second},
		{Write: all(Put, 0, 1, 2), Compact: true, Wait: time.Minute},
		{Fail: f, Wait: 5 * time.Minute},
	}
}
