package wide

import (
	"time"

	"example.com/gatehouse/admission"
)

// Options say how wide and how long. The zero value is useful.
type Options struct {
	// Duration is how long new requests are sent. The default is a minute.
	Duration time.Duration
	// Callers is how many requests are under way at the same time. The default
	// is 600.
	Callers int
	// Webhooks is how many there are in each phase. The default is 10.
	Webhooks int

	// act is what webhooks do; tests break the plan with it.
	act func(phase admission.Phase, index, number int) act
	// drains is how long what is closed may take to end: 10 s, but in tests of
	// what does not.
	drains time.Duration
}

func (o Options) withDefaults() Options {
	if o.Duration <= 0 {
		o.Duration = time.Minute
	}
	if o.Callers <= 0 {
		o.Callers = 600
	}
	if o.Webhooks <= 0 {
		o.Webhooks = ten
	}
	if o.drains <= 0 {
		o.drains = 10 * time.Second
	}
	return o
}
