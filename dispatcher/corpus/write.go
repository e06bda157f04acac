package corpus

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Writer appends entries to a file of its own in the folder of a corpus. It is
// safe for concurrent use.
type Writer struct {
	mu   sync.Mutex
	file *os.File
}

// Create creates a file in the folder of a corpus, which it creates if there is
// none. No other file of the folder is changed. Folder and file are readable by
// their owner only. The caller must close the Writer.
func Create(folder string) (*Writer, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	prefix := "requests-" + time.Now().UTC().Format("20060102T150405.000000000")
	name := filepath.Join(folder, fmt.Sprintf("%s-%d.jsonl", prefix, os.Getpid()))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &Writer{file: f}, nil
}

// Write appends an entry with one call of the operating system, so that another
// process never reads a part of it unless this one dies.
func (w *Writer) Write(e *Entry) error {
	e.APIVersion, e.Kind = APIVersion, Kind
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.file.Write(append(line, '\n'))
	return err
}

// Close closes the file.
func (w *Writer) Close() error { return w.file.Close() }
