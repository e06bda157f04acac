package process

import (
	"fmt"
	"strings"

	"example.com/gatehouse/internal/message"
)

// shown is how many characters of a text there are in an error.
const shown = 200

// Error says why a command could not be used, or how it ended.
type Error struct {
	// Err says what was attempted and what was wrong, without what the command has
	// printed.
	Err error
	// Printed is the end of what the command has printed, as in Process.Printed. It is
	// what was written: whoever shows it has to escape it. It is "" if the command was
	// never started.
	Printed string
}

// Error returns Err and the last line that was printed, in one line that is escaped.
func (e *Error) Error() string {
	text := message.Escaped(e.Err.Error())
	lines := strings.TrimSpace(e.Printed)
	if lines == "" {
		return text
	}
	last := strings.TrimSpace(lines[strings.LastIndexByte(lines, '\n')+1:])
	return text + "; it printed last: " + short(message.Escaped(last))
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// short returns as much of a text as errors show.
func short(text string) string {
	n := 0
	for i := range text {
		if n == shown {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// also returns two errors in one line, either of which may be nil.
func also(err, second error) error {
	switch {
	case err == nil:
		return second
	case second == nil:
		return err
	}
	return fmt.Errorf("%w; %w", err, second)
}
