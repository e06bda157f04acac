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
	"example.com/gatehouse/internal/filereplace"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/report"
)

// Report returns a printer that prints like next, and at the end writes an HTML
// page of all visits to a file, which it replaces atomically. The error says
// why the file cannot be written; nothing has been written then.
func Report(next Printer, file string) (Printer, error) {
	if err := replaceable(file); err != nil {
		return nil, err
	}
	return &reporter{Printer: next, file: file}, nil
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
	if err := filereplace.Write(p.file, page.Bytes(), 0o666); err != nil {
		return fmt.Errorf("writing the report to %s: %w", p.file, message.FileError(err))
	}
	return nil
}

// replaceable returns an error unless a path is that of a file, which need not
// exist.
//
// An existing file must be an HTML page: if the user forgets the name of the
// report, the next argument is an input, which must not be overwritten.
func replaceable(path string) error {
	if path == "-" {
		return errors.New("the report must be a file; to print a page, use 'gatehouse explain -o html'")
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a file", path)
	case err == nil:
		if err := isPage(path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", path, message.FileError(err))
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: the target of the link does not exist", path)
	}
	folder := filepath.Dir(path)
	if info, err = os.Stat(folder); err != nil {
		return fmt.Errorf("%s: %s: %w", path, folder, message.FileError(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: %s is not a folder", path, folder)
	}
	return nil
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
