package probe

// Typical returns exchanges of Meet that have an answer, in the version that the engine
// sends first: for each operation one that was allowed and one that was denied, if there
// are any. They are for checks that ask again and need not ask everything.
func (w *Webhook) Typical() []*Exchange {
	type kind struct {
		operation string
		allowed   bool
	}
	var typical []*Exchange
	seen := map[kind]bool{}
	for _, v := range w.Good() {
		x := w.Met(v)
		k := kind{x.Review.Operation(), x.Answer.IsAllowed()}
		if !seen[k] {
			seen[k] = true
			typical = append(typical, x)
		}
	}
	return typical
}

// AllowedFirst returns the Typical exchanges, those that were allowed before all others: if
// something else is asked about them and the answer is no, it is because of that.
func (w *Webhook) AllowedFirst() []*Exchange {
	var allowed, denied []*Exchange
	for _, x := range w.Typical() {
		if x.Answer.IsAllowed() {
			allowed = append(allowed, x)
		} else {
			denied = append(denied, x)
		}
	}
	return append(allowed, denied...)
}
