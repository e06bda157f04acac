package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/report"
)

// Report returns a printer that prints like next, and at the end writes an HTML
// page of all visits to a file, which it replaces atomically. The error says
// why the file cannot be written; nothing has been written then.
func Report(next Printer, file string) (Printer, error) {
	target, err := replaceable(file)
	if err != nil {
		return nil, err
	}
	return &reporter{Printer: next, file: target}, nil
}

type reporter struct {
	Printer
	file  string
	items []*explain.Explanation
}

func (p *reporter) Print(v *session.Result) error {
	p.items = append(p.items, v.Explain(explain.WithBodies()))
	return p.Printer.Print(v)
}

func (p *reporter) End() error {
	if err := p.Printer.End(); err != nil {
		return err
	}
	var page bytes.Buffer
	if err := report.Write(&page, Document(p.items)); err != nil {
		return err
	}
	if err := replace(p.file, page.Bytes()); err != nil {
		return fmt.Errorf("writing the report to %s: %w", p.file, err)
	}
	return nil
}

// replaceable returns the file that a path resolves to. The file need not
// exist, but a device or folder is an error.
//
// An existing file must be an HTML page: if the user forgets the name of the
// report, the next argument is an input, which must not be overwritten.
func replaceable(path string) (string, error) {
	if path == "-" {
		return "", errors.New("the report must be a file; to print a page, use 'gatehouse explain -o html'")
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return "", fmt.Errorf("%s: not a file", path)
	case err == nil:
		if err := isPage(path); err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		return filepath.EvalSymlinks(path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s: %w", path, message.FileError(err))
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s: the target of the link does not exist", path)
	}
	folder := filepath.Dir(path)
	if info, err = os.Stat(folder); err != nil {
		return "", fmt.Errorf("%s: %s: %w", path, folder, message.FileError(err))
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s: %s is not a folder", path, folder)
	}
	return path, nil
}

// isPage returns an error unless a file is empty or looks like a page.
func isPage(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return message.FileError(err)
	}
	defer file.Close()
	const start = "<!doctype html"
	head := make([]byte, len(start))
	n, err := io.ReadFull(file, head)
	switch {
	case err == io.EOF:
		return nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return message.FileError(err)
	case !strings.EqualFold(string(head[:n]), start):
		return errors.New("exists, and is not a report: choose another name")
	}
	return nil
}

// replace replaces a file atomically.
func replace(path string, content []byte) (err error) {
	// A process with the same ID may have left the file.
	beside := tempName(path)
	_ = os.Remove(beside)
	file, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // minus the umask
	if err != nil {
		return message.FileError(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(beside) // err is the one to report
		}
	}()
	if _, err := file.Write(content); err != nil {
		_ = file.Close()
		return message.FileError(err)
	}
	if err := file.Close(); err != nil {
		return message.FileError(err)
	}
	return os.Rename(beside, path)
}

// tempName is the temporary name of a file, in the same folder, so that it can
// be renamed.
func tempName(path string) string { return fmt.Sprintf("%s.%d.tmp", path, os.Getpid()) }
