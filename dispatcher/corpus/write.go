package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// WriterOption changes what a Writer writes.
type WriterOption func(*Writer)

// Compressed compresses the files with zstd. Entries become readable at the end
// of a frame: after 256 entries or 1 MiB, and with Flush and Close. If the
// program is killed, the file has all frames except the last.
func Compressed() WriterOption {
	return func(w *Writer) {
		// Without options there is no error.
		w.encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	}
}

// RotateAt starts another file when one has this many bytes. The default, 0, is
// never.
func RotateAt(bytes int64) WriterOption {
	return func(w *Writer) { w.maxFile = bytes }
}

const (
	// maxFrameEntries and maxFrame bound what is lost if the program is killed.
	maxFrameEntries = 256
	maxFrame        = 1 << 20
)

// Writer appends entries to its own files in the folder of a corpus. It is safe
// for concurrent use. After an error, such as a full disk, the file is
// unchanged, and you can write again.
type Writer struct {
	folder  string
	encoder *zstd.Encoder // nil for plain files
	maxFile int64

	mu   sync.Mutex
	file *os.File // nil before the first entry, and after a rotation
	// size is how many bytes of the file are good.
	size int64
	// frame has the lines of the next frame.
	frame   []byte
	entries int
	closed  bool
}

// Create returns a Writer for the folder of a corpus, or the error of creating a
// file there. The Writer creates the folder and the file with the first entry,
// and changes no other file. Only their owner can read them. The caller must
// close the Writer.
func Create(folder string, options ...WriterOption) (*Writer, error) {
	if err := probe(folder); err != nil {
		return nil, err
	}
	w := &Writer{folder: folder}
	for _, option := range options {
		option(w)
	}
	return w, nil
}

// probe creates and removes a file in a folder; if the folder does not exist, in
// its nearest parent. The reader of a corpus ignores the file, because its name
// begins with a dot.
func probe(folder string) error {
	f, err := os.CreateTemp(filepath.Clean(folder), ".writable-*")
	if parent := filepath.Dir(folder); errors.Is(err, fs.ErrNotExist) && parent != folder {
		return probe(parent)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		e.Op, e.Path = "create a file in", folder // the user did not choose the name of the file
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// open creates the next file, and the folder if it does not exist.
func (w *Writer) open() error {
	if err := os.MkdirAll(w.folder, 0o700); err != nil {
		return err
	}
	ending := ".jsonl"
	if w.encoder != nil {
		ending += ".zst"
	}
	now := time.Now().UTC().Format("20060102T150405.000000000")
	for n := 0; ; n++ {
		name := fmt.Sprintf("requests-%s-%d-%d%s", now, os.Getpid(), n, ending)
		f, err := os.OpenFile(filepath.Join(w.folder, name),
			os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
		if !errors.Is(err, fs.ErrExist) { // the clock may not have advanced since another one
			w.file, w.size = f, 0
			return err
		}
	}
}

// Write appends an entry with one system call, so that another process never
// reads a part of it unless this one dies. It sets the entry's apiVersion and
// kind, and returns the error of Validate.
func (w *Writer) Write(e *Entry) error {
	e.APIVersion, e.Kind = APIVersion, Kind
	if err := e.Validate(); err != nil {
		return err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fs.ErrClosed
	}
	if w.encoder == nil {
		return w.append(line)
	}
	w.frame = append(w.frame, line...)
	if w.entries++; w.entries < maxFrameEntries && len(w.frame) < maxFrame {
		return nil
	}
	return w.flush()
}

// Flush makes all written entries readable. It has no effect on plain files.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush()
}

// flush appends the lines of the frame. If that fails, they are lost.
func (w *Writer) flush() error {
	if len(w.frame) == 0 {
		return nil
	}
	text := w.encoder.EncodeAll(w.frame, nil)
	w.frame, w.entries = w.frame[:0], 0
	return w.append(text)
}

// append appends whole lines or a frame, or nothing.
func (w *Writer) append(text []byte) error {
	if w.file == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	if _, err := w.file.Write(text); err != nil {
		// What was written of the text would break the next line.
		if w.file.Truncate(w.size) != nil {
			return errors.Join(err, w.closeFile()) // the next entry begins another file
		}
		return err
	}
	w.size += int64(len(text))
	if w.maxFile > 0 && w.size >= w.maxFile {
		return w.closeFile()
	}
	return nil
}

func (w *Writer) closeFile() error {
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file = nil
	return err
}

// Close writes the remaining entries and closes the file.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	return errors.Join(w.flush(), w.closeFile())
}
