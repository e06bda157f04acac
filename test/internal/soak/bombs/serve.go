package bombs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/soak/vitals"
)

// variable in the environment makes the program the fault servers.
const variable = "GATEHOUSE_SOAK_BOMBS"

// place is where a fault is served.
type place struct {
	URL    string
	Bundle []byte
}

// farewell is the last that the other process says.
type farewell struct {
	Peak int64 // of its memory
}

// Serve reports whether this process was started by Run to be the fault servers.
// If so it has served them until its input ended, and the program is over.
func Serve(in io.Reader, out io.Writer) (served bool, err error) {
	if os.Getenv(variable) == "" {
		return false, nil
	}
	// Who interrupts or ends a run does so with all of its processes, and this one
	// is needed until its input ends.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	places, stop, err := listen()
	if err != nil {
		return true, err
	}
	replies := json.NewEncoder(out)
	err = replies.Encode(places)
	if err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	return true, errors.Join(err, stop(), replies.Encode(farewell{Peak: vitals.PeakResident()}))
}

// listen serves all bombs, by the names of their faults.
func listen() (places map[string]place, stop func() error, err error) {
	var servers []*faultserver.Server
	stop = func() error {
		var errs []error
		for _, s := range servers {
			errs = append(errs, s.Close())
		}
		return errors.Join(errs...)
	}
	places = map[string]place{}
	for _, b := range bombs() {
		fault, ok := faultserver.Lookup(b.fault)
		if !ok {
			return nil, nil, errors.Join(fmt.Errorf("there is no fault %q", b.fault), stop())
		}
		server, err := faultserver.Listen(fault.Script)
		if err != nil {
			return nil, nil, errors.Join(err, stop())
		}
		server.Forget() // nobody asks, and it would be most of what the servers need
		servers = append(servers, server)
		places[b.fault] = place{server.URL() + "/", server.CABundle()}
	}
	return places, stop, nil
}
