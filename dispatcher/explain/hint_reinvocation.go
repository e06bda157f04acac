package explain

import "fmt"

// reinvocationHint covers a webhook that matches in round 1 but is not due.
func (a *analyzer) reinvocationHint(r *Round, w *Webhook) string {
	first := a.inRound0(w)
	if first == nil || !first.Called {
		late := a.notInRound0(first)
		if late != "" && !w.reinvocable() {
			late += "; and it would need reinvocationPolicy IfNeeded"
		}
		return late
	}
	changer := a.firstChangeAfter(first, r, w)
	switch {
	case w.reinvocable():
		return "it is called again only if another webhook or plugin changes the object after it"
	case changer == nil:
		return "reinvocationPolicy IfNeeded alone would not help: nothing changed the object after it"
	}
	return fmt.Sprintf("reinvocationPolicy IfNeeded: %s changed %s after it", a.webhookName(changer),
		changedPaths(changer.Call))
}

// notInRound0 covers a webhook that was not called in round 0, and so cannot be
// called in round 1 (S-165).
func (a *analyzer) notInRound0(first *Webhook) string {
	const rule = "a webhook that was not called in round 0 is never called in round 1"
	if first == nil {
		return rule
	}
	r := a.mutatingRound0()
	hint := a.hint(r, first)
	if hint == "" {
		return rule
	}
	if first.Stage == stageConditions {
		if changer := a.firstChangeAfter(first, r, first); changer != nil {
			hint += fmt.Sprintf("; %s changed %s later: to match the new values, the webhook must come after it",
				a.webhookName(changer), changedPaths(changer.Call))
		}
	}
	return rule + "; in round 0: " + hint
}

// firstChangeAfter returns the first webhook that changed the object after
// first in round 0, and before w in the round r; nil if there is none.
func (a *analyzer) firstChangeAfter(first *Webhook, r *Round, w *Webhook) *Webhook {
	for _, s := range a.callHistory().calls {
		switch {
		case s.round.Round == 0 && s.webhook.Position <= first.Position, !s.webhook.Call.Mutated:
		case r.Round > 0 && s.round.Round == r.Round && s.webhook.Position >= w.Position:
			return nil
		default:
			return s.webhook
		}
	}
	return nil
}

// inRound0 returns the record of the webhook in the first mutating round; nil
// if there is none.
func (a *analyzer) inRound0(w *Webhook) *Webhook {
	for r, first := range a.e.webhooks() {
		if r.Phase == mutating && r.Round == 0 && first.UID == w.UID {
			return first
		}
	}
	return nil
}

func (a *analyzer) mutatingRound0() *Round {
	for i := range a.e.Rounds {
		if r := &a.e.Rounds[i]; r.Phase == mutating && r.Round == 0 {
			return r
		}
	}
	return nil
}
