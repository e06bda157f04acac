package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"

	"example.com/gatehouse/test/internal/processgroup"
)

// settings say how each target is run.
type settings struct {
	// command is go's, and folder the module's.
	command, folder string
	// time is how long, or how many executions with an x behind the number, as
	// for go test -fuzztime.
	time string
	// parallel is how many workers there are.
	parallel int
}

// minimizing is how often a worker may try to make an input shorter that
// reaches something new. Go's minute for each would be all that short runs do.
const minimizing = "100x"

// run fuzzes a target and writes go test's output without the progress lines.
// If ctx ends first, the result has the progress until then.
func (s *settings) run(ctx context.Context, t target, out io.Writer) result {
	r := result{target: t}
	command := exec.CommandContext(ctx, s.command, "test", "-vet=off", "-run=^$", "-fuzz=^"+t.name+"$",
		"-fuzztime="+s.time, "-fuzzminimizetime="+minimizing, "-parallel="+strconv.Itoa(s.parallel), t.pkg)
	command.Dir = s.folder
	processgroup.Own(command)
	read, write := io.Pipe()
	command.Stdout, command.Stderr = write, write
	if err := command.Start(); err != nil {
		r.finding = err.Error()
		return r
	}
	ended := make(chan error, 1)
	go func() {
		err := command.Wait()
		processgroup.End(command)
		_ = write.Close() // never fails
		ended <- err
	}()
	for lines := bufio.NewReader(read); ; {
		line, err := lines.ReadString('\n')
		if text := trimmed(line); text != "" && !r.read(text) {
			_, _ = fmt.Fprintln(out, text) // the table at the end will tell whether out takes it
		}
		if err != nil {
			break
		}
	}
	if err := <-ended; err != nil && r.finding == "" && ctx.Err() == nil {
		r.finding = "go test: " + err.Error()
	}
	return r
}

func trimmed(line string) string {
	for line != "" && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}
