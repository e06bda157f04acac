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

// endpoint is where a fault is served.
type endpoint struct {
	URL    string
	Bundle []byte
}

// farewell is the last message of the second process.
type farewell struct {
	Peak int64 // of its memory
}

// Serve reports whether this process was started by Run to be the fault
// servers. If so it has served them until its input ended, and the program is
// over.
func Serve(in io.Reader, out io.Writer) (served bool, err error) {
	if os.Getenv(variable) == "" {
		return false, nil
	}
	// SIGINT and SIGTERM go to the whole process group, but this process must
	// live until its input ends.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	endpoints, stop, err := listen()
	if err != nil {
		return true, err
	}
	replies := json.NewEncoder(out)
	err = replies.Encode(endpoints)
	if err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	return true, errors.Join(err, stop(), replies.Encode(farewell{Peak: vitals.PeakResident()}))
}

// listen serves all bombs, by the names of their faults.
func listen() (endpoints map[string]endpoint, stop func() error, err error) {
	var servers []*faultserver.Server
	stop = func() error {
		var errs []error
		for _, s := range servers {
			errs = append(errs, s.Close())
		}
		return errors.Join(errs...)
	}
	endpoints = map[string]endpoint{}
	for _, b := range bombs() {
		fault, ok := faultserver.Lookup(b.fault)
		if !ok {
			return nil, nil, errors.Join(fmt.Errorf("there is no fault %q", b.fault), stop())
		}
		server, err := faultserver.Listen(fault.Script)
		if err != nil {
			return nil, nil, errors.Join(err, stop())
		}
		server.Forget() // the requests are not read, and would use most of the memory
		servers = append(servers, server)
		endpoints[b.fault] = endpoint{server.URL() + "/", server.CABundle()}
	}
	return endpoints, stop, nil
}
