package process

import (
	"fmt"
	"strings"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/message"
)

// maxShown is the number of bytes of a text in an error.
const maxShown = 200

// Error is why a command could not be used, or how it ended.
type Error struct {
	// Err is the error without the command's output.
	Err error
	// Printed is the end of the command's output, as in Process.Printed,
	// unescaped. It is empty if the command never started.
	Printed string
}

// Error returns Err and the last line of output, in one escaped line.
func (e *Error) Error() string {
	text := message.Escaped(e.Err.Error())
	lines := strings.TrimSpace(e.Printed)
	if lines == "" {
		return text
	}
	last := strings.TrimSpace(lines[strings.LastIndexByte(lines, '\n')+1:])
	return text + "; it printed last: " + limits.Cut(message.Escaped(last), maxShown)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// joinErrors joins two errors, either of which may be nil, in one line.
func joinErrors(err, second error) error {
	switch {
	case err == nil:
		return second
	case second == nil:
		return err
	}
	return fmt.Errorf("%w; %w", err, second)
}
