package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// process is a backend, seen from the dispatcher.
type process struct {
	introduction
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies *json.Decoder
	asking  sync.Mutex
}

// startProcess runs this program again as a backend.
func startProcess(ctx context.Context) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("starting a backend: %w", err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), backendVariable+"=1")
	cmd.Stderr = os.Stderr
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, fmt.Errorf("starting a backend: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a backend: %w", err)
	}
	p := &process{cmd: cmd, in: in, replies: json.NewDecoder(out)}
	if err := p.replies.Decode(&p.introduction); err != nil {
		p.close()
		return nil, fmt.Errorf("starting a backend: %w", err)
	}
	return p, nil
}

// close ends the backend and waits for it.
func (p *process) close() {
	_ = p.in.Close()
	// How it ended does not matter any more.
	_ = p.cmd.Wait()
}

func (p *process) ask(command string, reply any) error {
	p.asking.Lock()
	defer p.asking.Unlock()
	if _, err := fmt.Fprintln(p.in, command); err != nil {
		return fmt.Errorf("asking the backend to %s: %w", command, err)
	}
	if err := p.replies.Decode(reply); err != nil {
		return fmt.Errorf("asking the backend to %s: %w", command, err)
	}
	return nil
}

// record implements witness.
func (p *process) record() error { return p.ask(commandRecord, new(bool)) }

// take implements witness.
func (p *process) take() (map[string][]string, error) {
	var bodies map[string][]string
	err := p.ask(commandTake, &bodies)
	return bodies, err
}

// connections returns how many connections were opened so far.
func (p *process) connections() (int, error) {
	var n int
	err := p.ask(commandConnections, &n)
	return n, err
}
