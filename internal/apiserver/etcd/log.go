package etcd

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// exitStatus is that of a process which etcd ends, as of a command that cannot
// use a file.
const exitStatus = 2

// log receives the entries before etcd panics or ends the process, which it
// does if it cannot write its files. During the start it keeps the last one;
// later it writes one line to standard error.
type log struct {
	data string

	lock    sync.Mutex
	started bool
	// last is the error of the last entry; nil is none.
	last error
}

var _ zapcore.Core = (*log)(nil)

func newLog(data string) *log { return &log{data: data} }

// logger returns the logger for etcd.
func (l *log) logger() *zap.Logger { return zap.New(l, zap.WithFatalHook(exit{})) }

// exit ends the process after a Fatal entry.
type exit struct{}

// OnWrite implements zapcore.CheckWriteHook.
func (exit) OnWrite(*zapcore.CheckedEntry, []zapcore.Field) { os.Exit(exitStatus) }

// Enabled implements zapcore.Core.
func (*log) Enabled(level zapcore.Level) bool { return level >= zapcore.PanicLevel }

// With implements zapcore.Core.
func (l *log) With([]zapcore.Field) zapcore.Core { return l }

// Check implements zapcore.Core.
func (l *log) Check(
	entry zapcore.Entry, checked *zapcore.CheckedEntry,
) *zapcore.CheckedEntry {
	if l.Enabled(entry.Level) {
		return checked.AddCore(entry, l)
	}
	return checked
}

// Write implements zapcore.Core.
func (l *log) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	err := errors.New(entry.Message)
	for _, f := range fields {
		if cause, ok := f.Interface.(error); ok {
			err = fmt.Errorf("%w: %w", err, cause)
		}
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.last = err
	if l.started || entry.Level == zapcore.FatalLevel {
		fmt.Fprintf(os.Stderr, "gatehouse: the data in %s: %v\n", l.data, err)
	}
	return nil
}

// Sync implements zapcore.Core.
func (*log) Sync() error { return nil }

// end marks the end of the start, and returns the last error.
func (l *log) end() error {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.started = true
	return l.last
}
