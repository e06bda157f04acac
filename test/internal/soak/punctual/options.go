package punctual

import (
	"time"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/test/faultserver"
)

// timeout is that of all webhooks: the shortest that there is.
const timeout = time.Second

// Options say what is measured. The zero value is a whole measurement of all
// faults.
type Options struct {
	// Calls is how many calls are made per row. The default is 1000, which is
	// the least of which p99.9 is not simply the longest.
	Calls int
	// Waiting is how many callers each of the rows has that are measured at the
	// same time. The default is 20: a row then takes Calls/20 seconds.
	Waiting int
	// Alone is how many callers a row has that is measured alone. The default
	// is 2.
	Alone int
	// Within is by how much p99.9 of a row's calls may be beyond the timeout.
	// The default is 50 ms.
	Within time.Duration
	// Duration ends the measurement, whether all rows have been measured or
	// not. By default there is no such limit.
	Duration time.Duration
	// Faults are the rows. The default is all that have names.
	Faults []faultserver.Fault

	// wrap makes the engine late, in tests.
	wrap func(dispatcher.Client) dispatcher.Client
	// hangs is when a call is taken for one that never returns: 20 s, but in
	// tests of just that.
	hangs time.Duration
	// drains is how long what rows leave behind may take to end: 2 min, but in
	// tests of what does not.
	drains time.Duration
}

func (o Options) withDefaults() Options {
	standard := func(n *int, otherwise int) {
		if *n <= 0 {
			*n = otherwise
		}
	}
	standard(&o.Calls, 1000)
	standard(&o.Waiting, 20)
	standard(&o.Alone, 2)
	if o.Within <= 0 {
		o.Within = 50 * time.Millisecond
	}
	if o.hangs <= 0 {
		o.hangs = 20 * time.Second
	}
	if o.drains <= 0 {
		o.drains = 2 * time.Minute
	}
	if o.Faults == nil {
		o.Faults = faultserver.Named()
	}
	return o
}
