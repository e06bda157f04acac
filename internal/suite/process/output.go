package process

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"time"
)

// maxOutput is the number of bytes of output that are kept, and of a line with
// its newline. Longer lines are split.
const maxOutput = 64 << 10

// output reads a command's two streams line by line.
type output struct {
	// matched is closed when a line matches log.
	matched chan struct{}
	log     *regexp.Regexp // nil if no match is awaited
	reading sync.WaitGroup
	ends    []*os.File // read ends of the streams

	mu  sync.Mutex // guards all below, and log
	to  io.Writer
	end []byte // at least the last maxOutput bytes
}

// newOutput returns an output that copies to a writer. Either argument may be
// nil.
func newOutput(to io.Writer, log *regexp.Regexp) *output {
	if to == nil {
		to = io.Discard
	}
	return &output{to: to, log: log, matched: make(chan struct{})}
}

// stream returns a file whose lines are read until all processes have closed
// it.
//
// With a writer in place of a file, os/exec would report the end of a command
// only after its child processes closed their output.
func (o *output) stream() (*os.File, error) {
	from, to, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe for its output: %w", err)
	}
	o.ends = append(o.ends, from)
	o.reading.Go(func() { o.read(from) })
	return to, nil
}

// read reads the lines of a stream. An unterminated last line counts.
func (o *output) read(from *os.File) {
	defer from.Close()
	lines := bufio.NewReaderSize(from, maxOutput-len("\n"))
	for more := false; ; {
		line, err := lines.ReadSlice('\n')
		// Skip the newline after a line of exactly maximum length.
		if text := bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 && !(more && len(text) == 0) {
			o.handleLine(text)
		}
		more = err == bufio.ErrBufferFull
		if err != nil && !more {
			return
		}
	}
}

// handleLine handles a line. The writer gets it before a match is announced.
func (o *output) handleLine(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.end) > 4*maxOutput {
		o.end = append(o.end[:0], o.end[len(o.end)-maxOutput:]...)
	}
	o.end = append(append(o.end, line...), '\n')
	// An error of the writer does not stop the command.
	_, _ = o.to.Write(o.end[len(o.end)-len(line)-1:])
	if o.log != nil && o.log.Match(bytes.TrimSuffix(line, []byte("\r"))) {
		close(o.matched)
		o.log = nil
	}
}

// String returns the last lines, at most maxOutput bytes.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	over := len(o.end) - maxOutput
	if over <= 0 {
		return string(o.end)
	}
	// No line is longer than the limit, so one starts here.
	first := over + bytes.IndexByte(o.end[over-1:], '\n')
	return string(o.end[first:])
}

// finish waits until all output is read, but no longer than the limit for a
// process that keeps a stream open.
func (o *output) finish(limit time.Duration) {
	late := time.AfterFunc(limit, func() {
		for _, end := range o.ends {
			_ = end.Close() // the stream may be closed already
		}
	})
	defer late.Stop()
	o.reading.Wait()
}
