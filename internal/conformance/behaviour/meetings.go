package behaviour

import (
	"iter"

	"example.com/gatehouse/internal/conformance/probe"
)

// effect is what a webhook does to a sample.
type effect uint8

const (
	// unknown: it is not asked, has no good answer or says no. Nothing is stored then, in
	// whatever order.
	unknown effect = iota
	// idle: it leaves the sample as it is.
	idle
	// changing: it does not.
	changing
)

// meeting is a sample that visits two webhooks which both allow it.
type meeting struct {
	a, b   *probe.Webhook
	sample *probe.Sample
	// changing is how many of the two change the sample.
	changing int
}

// meetings yields all there are: first those in which both webhooks change the sample, and
// last those in which none does. Each two webhooks meet with one sample before any meet with
// a second one, so that whoever stops early has seen as many pairs as there was time for.
func meetings(webhooks []*probe.Webhook, samples []*probe.Sample) iter.Seq[meeting] {
	known := effects(webhooks, samples)
	return func(yield func(meeting) bool) {
		for _, changing := range []int{2, 1, 0} {
			for shift := range samples {
				for i, p := range pairs(len(webhooks)) {
					s := (i + shift) % len(samples)
					if n := changers(known[p[0]][s], known[p[1]][s]); n != changing {
						continue
					}
					if !yield(meeting{webhooks[p[0]], webhooks[p[1]], samples[s], changing}) {
						return
					}
				}
			}
		}
	}
}

// pairs numbers each two of n, and yields their indices.
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

// changers is how many of two effects are changes; -1 if one is unknown.
func changers(a, b effect) int {
	if a == unknown || b == unknown {
		return -1
	}
	return int(a-idle) + int(b-idle)
}

// effects returns what each of the webhooks was seen to do to each of the samples.
func effects(webhooks []*probe.Webhook, samples []*probe.Sample) [][]effect {
	index := map[*probe.Sample]int{}
	for i, s := range samples {
		index[s] = i
	}
	all := make([][]effect, len(webhooks))
	for i, w := range webhooks {
		all[i] = make([]effect, len(samples))
		for _, v := range w.Good() {
			all[i][index[v.Sample]] = effectOf(w.Met(v))
		}
	}
	return all
}

func effectOf(x *probe.Exchange) effect {
	if x.Object() == nil || x.Answer.Refuses() {
		return unknown
	}
	patched, err := x.Patched()
	if err != nil || len(differences(x.Object(), patched)) == 0 {
		return idle // what cannot be applied is left out
	}
	return changing
}
