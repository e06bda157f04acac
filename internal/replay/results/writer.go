package results

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.com/gatehouse/internal/filelock"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/replay"
)

// Writer writes the file of a shard. It belongs to one goroutine at a time. The
// caller must close it.
type Writer struct {
	file *os.File
	// count is the number of results in the file, and end is nil unless it was
	// complete.
	count int
	end   *End
	// again is the file for reading; nil if it is new. earlier reads the results
	// that it had, of which left are left.
	again   *os.File
	earlier *lines
	left    int
}

// Open creates the file of a shard in a folder, or continues it. It creates the
// folder if there is none. A folder that cannot be written to, and a file that is not the
// beginning of this replay, are a message.InputError.
func Open(folder string, h Header) (*Writer, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		err = fmt.Errorf("%s: cannot be a folder for results: %w", folder, message.FileError(err))
		return nil, &message.InputError{Err: err}
	}
	name := filepath.Join(folder, h.Shard.fileName())
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		err = fmt.Errorf("%s: cannot be written: %w", name, message.FileError(err))
		return nil, &message.InputError{Err: err}
	}
	w := &Writer{file: file}
	if err := w.begin(h); err != nil {
		_ = file.Close() // nothing is lost
		return nil, err
	}
	return w, nil
}

// errLocked says that two processes would write one file.
var errLocked = errors.New("another process writes this shard")

// begin reads what is in the file, and writes the header if nothing is.
func (w *Writer) begin(h Header) error {
	// A volume may have no locks.
	if err := filelock.Lock(w.file); errors.Is(err, filelock.ErrLocked) {
		return &message.InputError{Err: fmt.Errorf("%s: %w", w.file.Name(), errLocked)}
	}
	first, err := encode(headerLine{apiVersion, headerKind, h})
	if err != nil {
		return err
	}
	begun, err := w.hasBegun(first)
	if err != nil {
		return &message.InputError{Err: err}
	}
	if !begun {
		if err := w.cut(0); err != nil {
			return err
		}
		_, err = w.file.Write(first)
		return err
	}
	if err := w.scan(h); err != nil {
		return &message.InputError{Err: err}
	}
	return nil
}

// hasBegun reports whether the file has more than the beginning of the header. It
// is an error if the header is not whole and another one.
func (w *Writer) hasBegun(first []byte) (bool, error) {
	beginning := make([]byte, len(first))
	n, err := io.ReadFull(w.file, beginning)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	if n < len(first) && string(beginning[:n]) == string(first[:n]) {
		return false, nil
	}
	_, err = w.file.Seek(0, io.SeekStart)
	return true, err
}

// scan counts the whole lines and removes what comes after them.
func (w *Writer) scan(h Header) error {
	name := w.file.Name()
	all := newLines(name, w.file)
	was, err := all.header()
	if err != nil {
		return fmt.Errorf("%w: it is not overwritten", err)
	}
	if err := differ(was, h); err != nil {
		return fmt.Errorf("%s: %w: continue with the same ones, or write to another folder", name, err)
	}
	for w.end == nil {
		next, err := all.next()
		if errors.Is(err, io.EOF) || errors.Is(err, errCut) {
			break
		}
		if err != nil {
			return err
		}
		if err := w.see(&next); err != nil {
			return fmt.Errorf("%s:%d: %w", name, next.number, err)
		}
	}
	if w.end == nil {
		if err := w.cut(all.offset); err != nil {
			return err
		}
	}
	return w.rewind()
}

// see counts a line.
func (w *Writer) see(l *line) error {
	if !l.isEnd() {
		w.count++
		return nil
	}
	end, err := l.end()
	w.end = &end
	return err
}

// differ says how the header of a file differs from that of this replay.
func differ(was, now Header) error {
	switch {
	case was.Shard != now.Shard:
		return fmt.Errorf("the file has the results of shard %s", was.Shard)
	case was.Corpus != now.Corpus:
		return errors.New("the file has the results of another corpus")
	case was.Settings != now.Settings:
		return errors.New("the file has the results of other configurations or flags")
	}
	return nil
}

// cut removes everything from an offset on.
func (w *Writer) cut(offset int64) error {
	if err := w.file.Truncate(offset); err != nil {
		return err
	}
	_, err := w.file.Seek(offset, io.SeekStart)
	return err
}

// rewind prepares to return the earlier results.
func (w *Writer) rewind() (err error) {
	if w.again, err = os.Open(w.file.Name()); err != nil {
		return err
	}
	w.earlier, w.left = newLines(w.file.Name(), w.again), w.count
	_, err = w.earlier.header()
	return err
}

// Finished returns the End of the file; nil unless the shard was complete.
func (w *Writer) Finished() *End { return w.end }

// Results returns how many results the file has.
func (w *Writer) Results() int { return w.count }

// Earlier returns the next result that the file had when it was opened, and nil
// after the last one.
func (w *Writer) Earlier() (*replay.Result, error) {
	if w.left == 0 {
		return nil, nil
	}
	w.left--
	next, err := w.earlier.next()
	if err != nil {
		return nil, err
	}
	r, err := next.result()
	if err != nil {
		return nil, &message.InputError{Err: fmt.Errorf("%s:%d: %w", w.file.Name(), next.number, err)}
	}
	return r, nil
}

// Write appends a result with one call of the operating system, so that little is
// lost if the process is killed.
func (w *Writer) Write(r *replay.Result) error {
	text, err := encode(r)
	if err != nil {
		return fmt.Errorf("encoding the result of %s: %w", r.ID, err)
	}
	if _, err := w.file.Write(text); err != nil {
		return err
	}
	w.count++
	return nil
}

// Finish says that the shard is complete. It sets End.Results.
func (w *Writer) Finish(end End) error {
	end.Results = w.count
	text, err := encode(endLine{apiVersion, endKind, end})
	if err != nil {
		return err
	}
	if _, err := w.file.Write(text); err != nil {
		return err
	}
	return w.file.Sync()
}

// Close closes the file.
func (w *Writer) Close() error {
	if w.again != nil {
		_ = w.again.Close() // nothing was written
	}
	return w.file.Close()
}
