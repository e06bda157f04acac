package reinvocation_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/gatehouse/reinvocation"
)

// model is the catalogue read literally: it remembers all that happened and
// answers every question by going through it again.
type model struct {
	history []event
	output  string
}

// event is one thing that happened to the object.
type event struct {
	// uid was called and is remembered; empty if the event is no such call.
	uid string
	// changed: the object was different afterwards.
	changed bool
}

func (m *model) begin(reinvoke bool, object string) {
	m.history = append(m.history, event{changed: reinvoke && object != m.output})
}

func (m *model) end(object string) { m.output = object }

func (m *model) called(uid string, changed, reinvocable bool) {
	e := event{changed: changed}
	if reinvocable {
		e.uid = uid
	}
	m.history = append(m.history, e)
}

// due reports whether the object changed after a call (S-163, S-166).
func (m *model) due(uid string) bool {
	called := false
	for _, e := range m.history {
		if called && e.changed {
			return true
		}
		called = called || e.uid == uid
	}
	return false
}

// TestStateAgainstModel compares State with the model in random requests.
func TestStateAgainstModel(t *testing.T) {
	t.Parallel()
	const requests = 10_000
	for seed := range uint64(requests) {
		p := &pair{random: rand.New(rand.NewPCG(seed, 0))}
		for round := range 2 {
			p.round(round == 1)
		}
		if p.problem != "" {
			t.Fatalf("seed %d: %s:\n%s", seed, p.problem, strings.Join(p.log, "\n"))
		}
	}
}

// pair is a State and a model of the same request.
type pair struct {
	random  *rand.Rand
	state   reinvocation.State
	model   model
	object  int
	log     []string
	problem string
}

var uids = []string{"w", "x", "y", "z"}

// round runs one round on both. In the second one it calls, half of the time,
// only webhooks that are due, as the engine does (S-165).
func (p *pair) round(reinvoke bool) {
	onlyDue := reinvoke && p.random.IntN(2) == 0
	p.object += p.random.IntN(2)
	p.state.Begin(reinvoke, object(fmt.Sprint(p.object)))
	p.model.begin(reinvoke, fmt.Sprint(p.object))
	p.compare("begin %d", p.object)
	for i, uid := range uids {
		if p.random.IntN(3) == 0 || onlyDue && !p.model.due(uid) {
			continue
		}
		p.call(uid, i%3 != 0)
	}
	p.state.End(object(fmt.Sprint(p.object)))
	p.model.end(fmt.Sprint(p.object))
	p.compare("end %d", p.object)
}

func (p *pair) call(uid string, reinvocable bool) {
	changed := p.random.IntN(2) == 0
	if changed {
		p.object++
	}
	if again := p.state.Called(uid, changed, reinvocable); again != changed {
		p.problem = "Called returned the opposite of changed"
	}
	p.model.called(uid, changed, reinvocable)
	p.compare("called %s changed=%v reinvocable=%v", uid, changed, reinvocable)
}

func (p *pair) compare(format string, args ...any) {
	p.log = append(p.log, fmt.Sprintf(format, args...))
	for _, uid := range uids {
		if got, want := p.state.Due(uid), p.model.due(uid); got != want && p.problem == "" {
			p.problem = fmt.Sprintf("Due(%s) = %v, the model says %v, after step %d", uid, got, want, len(p.log))
		}
	}
}
