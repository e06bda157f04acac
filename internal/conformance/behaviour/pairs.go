package behaviour

import (
	"iter"

	"example.com/gatehouse/internal/conformance/probe"
)

// effect is what a webhook does to a sample.
type effect uint8

const (
	// unknown: not called, not answered, or denied. Denied objects are not
	// stored.
	unknown effect = iota
	// idle: the object is not changed.
	idle
	// changing: the object is changed.
	changing
)

// pairing is a sample that visits two webhooks which both allow it.
type pairing struct {
	a, b   *probe.Webhook
	sample *probe.Sample
	// changing counts the webhooks that change the sample.
	changing int
}

// pairings yields all pairings: first those in which both webhooks change the
// sample, last those in which none does. It yields one sample for each pair of
// webhooks before a second one, so that a caller that stops early has seen as
// many pairs as possible.
func pairings(webhooks []*probe.Webhook, samples []*probe.Sample) iter.Seq[pairing] {
	known := effects(webhooks, samples)
	return func(yield func(pairing) bool) {
		for _, changing := range []int{2, 1, 0} {
			for shift := range samples {
				for i, p := range pairs(len(webhooks)) {
					s := (i + shift) % len(samples)
					if n := changingCount(known[p[0]][s], known[p[1]][s]); n != changing {
						continue
					}
					if !yield(pairing{webhooks[p[0]], webhooks[p[1]], samples[s], changing}) {
						return
					}
				}
			}
		}
	}
}

// pairs numbers the pairs of n webhooks, and yields their indices.
func pairs(n int) iter.Seq2[int, [2]int] {
	return func(yield func(int, [2]int) bool) {
		i := 0
		for a := range n {
			for b := a + 1; b < n; b++ {
				if !yield(i, [2]int{a, b}) {
					return
				}
				i++
			}
		}
	}
}

// changingCount counts the effects that are changes; -1 if one is unknown.
func changingCount(a, b effect) int {
	if a == unknown || b == unknown {
		return -1
	}
	return int(a-idle) + int(b-idle)
}

// effects returns the effect of each webhook on each sample.
func effects(webhooks []*probe.Webhook, samples []*probe.Sample) [][]effect {
	index := map[*probe.Sample]int{}
	for i, s := range samples {
		index[s] = i
	}
	all := make([][]effect, len(webhooks))
	for i, w := range webhooks {
		all[i] = make([]effect, len(samples))
		for _, v := range w.AnsweredVisits() {
			all[i][index[v.Sample]] = effectOf(w.ExchangeFor(v))
		}
	}
	return all
}

func effectOf(x *probe.Exchange) effect {
	if x.Object() == nil || x.Answer.Denies() {
		return unknown
	}
	patched, err := x.Patched()
	if err != nil || len(diff(x.Object(), patched)) == 0 {
		return idle // Run drops such patches
	}
	return changing
}
