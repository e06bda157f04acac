package bombs

import (
	"time"

	"example.com/gatehouse/dispatcher"
)

// Options say how much is thrown. The zero value is useful.
type Options struct {
	// Duration is how long new requests are sent. The default is a minute.
	Duration time.Duration
	// Callers is how many requests are under way at the same time. The default
	// is 64.
	Callers int
	// Timeout is that of the webhooks, in seconds. The default is 10, as in the
	// API.
	Timeout int32
	// Late is by how much a request may return after that. The default is 10 s:
	// a process that spends its time collecting garbage is not punctual, and
	// neither is a machine that has something else to do.
	Late time.Duration

	// endpoints changes where bombs are, and wrap how webhooks are reached: tests
	// make mistakes with them.
	endpoints func(map[string]endpoint)
	wrap      func(dispatcher.Client) dispatcher.Client
}

func (o Options) withDefaults() Options {
	if o.Duration <= 0 {
		o.Duration = time.Minute
	}
	if o.Callers <= 0 {
		o.Callers = 64
	}
	if o.Timeout <= 0 {
		o.Timeout = 10
	}
	if o.Late <= 0 {
		o.Late = 10 * time.Second
	}
	return o
}

// timeout is that of the webhooks.
func (o Options) timeout() time.Duration { return time.Duration(o.Timeout) * time.Second }
