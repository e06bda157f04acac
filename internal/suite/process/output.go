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

// kept is how much of the output is kept, in bytes, and how long a line is, with its
// newline. Longer lines become several.
const kept = 64 << 10

// output takes what a command prints on its two streams, line by line.
type output struct {
	// matched is closed when a line has matched the log.
	matched chan struct{}
	log     *regexp.Regexp // nil if nobody waits for a line, or no more
	reading sync.WaitGroup
	ends    []*os.File // where the streams are read

	mu  sync.Mutex // guards all below, and log
	to  io.Writer
	end []byte // the last kept bytes, and perhaps some before them
}

// newOutput returns the output that goes to a writer. Either argument may be nil.
func newOutput(to io.Writer, log *regexp.Regexp) *output {
	if to == nil {
		to = io.Discard
	}
	return &output{to: to, log: log, matched: make(chan struct{})}
}

// stream returns a file whose lines are taken until all who can write to it have closed it.
//
// The package os/exec would do so for any writer, but a command would not be said to have
// ended then before those whom it has started have closed their output.
func (o *output) stream() (*os.File, error) {
	from, to, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe for its output: %w", err)
	}
	o.ends = append(o.ends, from)
	o.reading.Go(func() { o.read(from) })
	return to, nil
}

// read takes the lines of a stream. What is after the last newline is a line too.
func (o *output) read(from *os.File) {
	defer from.Close()
	lines := bufio.NewReaderSize(from, kept-len("\n"))
	for more := false; ; {
		line, err := lines.ReadSlice('\n')
		// The newline of a line that was just as long as fits is not a line of its own.
		if text := bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 && !(more && len(text) == 0) {
			o.take(text)
		}
		more = err == bufio.ErrBufferFull
		if err != nil && !more {
			return
		}
	}
}

// take takes a line. The writer has it before anybody is told that it matches.
func (o *output) take(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.end) > 4*kept {
		o.end = append(o.end[:0], o.end[len(o.end)-kept:]...)
	}
	o.end = append(append(o.end, line...), '\n')
	// The command goes on, whether anybody sees what it prints or not.
	_, _ = o.to.Write(o.end[len(o.end)-len(line)-1:])
	if o.log != nil && o.log.Match(bytes.TrimSuffix(line, []byte("\r"))) {
		close(o.matched)
		o.log = nil
	}
}

// String returns the last lines, of no more than the kept bytes together.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	over := len(o.end) - kept
	if over <= 0 {
		return string(o.end)
	}
	// A line ends where it may begin, or after that, because none is longer.
	first := over + bytes.IndexByte(o.end[over-1:], '\n')
	return string(o.end[first:])
}

// finish waits until all is read. Somebody who holds a stream open is not waited for any
// longer than the limit.
func (o *output) finish(limit time.Duration) {
	late := time.AfterFunc(limit, func() {
		for _, end := range o.ends {
			_ = end.Close() // a stream that was read to its end is closed already
		}
	})
	defer late.Stop()
	o.reading.Wait()
}
