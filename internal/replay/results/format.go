package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"example.com/gatehouse/internal/replay"
)

// The apiVersion and kinds of the lines that are no results.
const (
	apiVersion = "gatehouse/v1alpha1"
	headerKind = "ReplayResults"
	endKind    = "ReplayEnd"
)

// Header says what a file has the results of.
type Header struct {
	Shard Shard `json:"shard"`
	// Corpus and Settings are digests of what decides about the results: the
	// requests, and everything else.
	Corpus   string `json:"corpus"`
	Settings string `json:"settings"`
}

// End says that a shard is complete.
type End struct {
	// Results is the number of results in the file.
	Results int `json:"results"`
	// Lines is the number of lines of the corpus, which is that of the results and the
	// broken lines of all shards.
	Lines int `json:"lines"`
	// Broken is how many lines of the shard were not readable.
	Broken int `json:"broken"`
}

// headerLine and endLine are the lines of a Header and an End.
type headerLine struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Header
}

type endLine struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	End
}

// line is a line of any sort.
type line struct {
	text []byte // without the line feed
	// number counts from 1.
	number int
}

// lines reads the lines of a file.
type lines struct {
	name string
	in   *bufio.Reader
	// number is that of the last line, and offset its end.
	number int
	offset int64
}

func newLines(name string, in io.Reader) *lines {
	return &lines{name: name, in: bufio.NewReaderSize(in, 1<<16)}
}

// errCut is the error of next for a last line without a line feed.
var errCut = errors.New("the file is cut off")

// next returns the next line. The error is io.EOF after the last one.
func (l *lines) next() (line, error) {
	text, err := l.in.ReadBytes('\n')
	switch {
	case errors.Is(err, io.EOF) && len(text) > 0:
		return line{}, l.wrap(errCut)
	case err != nil:
		return line{}, err
	}
	l.number++
	l.offset += int64(len(text))
	return line{text[:len(text)-1], l.number}, nil
}

// wrap adds the position after the last line.
func (l *lines) wrap(err error) error { return fmt.Errorf("%s:%d: %w", l.name, l.number+1, err) }

// header reads the first line.
func (l *lines) header() (Header, error) {
	first, err := l.next()
	if errors.Is(err, io.EOF) {
		err = l.wrap(errCut)
	}
	if err != nil {
		return Header{}, err
	}
	var h headerLine
	if err := json.Unmarshal(first.text, &h); err != nil || h.Kind != headerKind {
		return Header{}, fmt.Errorf("%s:1: the file does not have the results of a replay", l.name)
	}
	if h.APIVersion != apiVersion {
		return Header{}, fmt.Errorf("%s:1: apiVersion: %q is not known, want %s", l.name, h.APIVersion,
			apiVersion)
	}
	return h.Header, nil
}

// isEnd reports whether a line is that of an End, which begins like no result.
func (l *line) isEnd() bool { return bytes.HasPrefix(l.text, []byte(`{"apiVersion":`)) }

func (l *line) end() (End, error) {
	var e endLine
	if err := json.Unmarshal(l.text, &e); err != nil {
		return End{}, err
	}
	if e.Kind != endKind {
		return End{}, fmt.Errorf("kind: %q is not %s", e.Kind, endKind)
	}
	return e.End, nil
}

// result returns the result in a line.
func (l *line) result() (*replay.Result, error) {
	r := &replay.Result{}
	if err := json.Unmarshal(l.text, r); err != nil {
		return nil, fmt.Errorf("the line is not a result: %w", err)
	}
	if r.ID == "" {
		return nil, errors.New("id: required")
	}
	return r, nil
}

// encode returns a line with its line feed.
func encode(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return text.Bytes(), err
}
