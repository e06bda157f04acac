package bombs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// process is the other process, in which the fault servers are.
type process struct {
	endpoints map[string]endpoint
	cmd       *exec.Cmd
	in        io.WriteCloser
	replies   *json.Decoder
}

// start runs this program again as the fault servers.
func start() (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("starting the fault servers: %w", err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(unlimited(os.Environ()), variable+"=1")
	cmd.Stderr = os.Stderr
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, fmt.Errorf("starting the fault servers: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the fault servers: %w", err)
	}
	p := &process{cmd: cmd, in: in, replies: json.NewDecoder(out)}
	if err := p.replies.Decode(&p.endpoints); err != nil {
		_, _ = p.close()
		return nil, fmt.Errorf("starting the fault servers: %w; does main begin with bombs.Serve?", err)
	}
	return p, nil
}

// unlimited is the environment without the memory limit, which is for the
// process that is tested.
func unlimited(environment []string) []string {
	var kept []string
	for _, v := range environment {
		if !strings.HasPrefix(v, "GOMEMLIMIT=") {
			kept = append(kept, v)
		}
	}
	return kept
}

// close ends the process and returns the most memory that it had.
func (p *process) close() (peak int64, err error) {
	var last farewell
	err = errors.Join(p.in.Close(), p.replies.Decode(&last), p.cmd.Wait())
	if err != nil {
		return 0, fmt.Errorf("ending the fault servers: %w", err)
	}
	return last.Peak, nil
}
