package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/gatehouse/internal/message"
)

// input is the complete file of a shard.
type input struct {
	name string
	Header
	End
}

// openInputs returns the files at paths, in the order of their shards. The error
// names everything that is missing.
func openInputs(paths []string) ([]input, error) {
	names, err := filesAt(paths)
	if err != nil {
		return nil, err
	}
	var inputs []input
	var problems []error
	for _, name := range names {
		in, err := openInput(name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		inputs = append(inputs, in)
	}
	if len(problems) == 0 {
		slices.SortFunc(inputs, func(a, b input) int { return a.Shard.Index - b.Shard.Index })
		problems = append(problems, checkShards(inputs))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, &message.InputError{Err: err}
	}
	return inputs, nil
}

// filesAt returns the files at paths: of a folder those of shards.
func filesAt(paths []string) (names []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, message.ReadError(err)
		}
		if !info.IsDir() {
			names = append(names, path)
			continue
		}
		found, err := filepath.Glob(filepath.Join(escaped(path), "results-*-of-*.jsonl"))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, &message.InputError{Err: fmt.Errorf("%s: holds no results of a replay", path)}
		}
		names = append(names, found...)
	}
	return names, nil
}

// escaped returns a path without the characters of patterns.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// openInput reads the header and the end of a file.
func openInput(name string) (in input, err error) {
	in.name = name
	file, err := os.Open(name)
	if err != nil {
		return in, fmt.Errorf("%s: %w", name, message.FileError(err))
	}
	defer func() { _ = file.Close() }() // nothing was written
	if in.Header, err = newLines(name, file).header(); err != nil {
		return in, err
	}
	in.End, err = readEnd(file)
	if err != nil {
		return in, fmt.Errorf("%s: shard %s is not complete: run it again to continue it", name, in.Shard)
	}
	return in, nil
}

// readEnd reads the End in the last line of a file.
func readEnd(file *os.File) (End, error) {
	const longest = 4096
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return End{}, err
	}
	tail := make([]byte, min(size, longest))
	if _, err := file.ReadAt(tail, size-int64(len(tail))); err != nil {
		return End{}, err
	}
	text, whole := bytes.CutSuffix(tail, []byte("\n"))
	if !whole {
		return End{}, errCut
	}
	last := line{text: text[bytes.LastIndexByte(text, '\n')+1:]}
	return last.end()
}

// checkShards returns an error unless there is one file for each shard of one
// replay.
func checkShards(inputs []input) error {
	first := &inputs[0]
	want := first.Shard.Count
	have, lines := map[int]string{}, 0
	for i := range inputs {
		in := &inputs[i]
		expected := first.Header
		expected.Shard.Index = in.Shard.Index
		if err := differ(in.Header, expected); err != nil {
			return fmt.Errorf("%s and %s: belong to different replays: %w", first.name, in.name, err)
		}
		if other, taken := have[in.Shard.Index]; taken {
			return fmt.Errorf("%s and %s: both have shard %s", other, in.name, in.Shard)
		}
		if in.Lines != first.Lines {
			return fmt.Errorf("%s and %s: the corpus had %d and %d lines", first.name, in.name,
				first.Lines, in.Lines)
		}
		have[in.Shard.Index] = in.name
		lines += in.Results + in.Broken
	}
	if len(have) < want {
		return fmt.Errorf("of %d shards %s missing", want, missing(have, want))
	}
	if lines != first.Lines {
		return fmt.Errorf("the shards have results for %d of %d lines of the corpus", lines, first.Lines)
	}
	return nil
}

// missing names the first shards that are missing.
func missing(have map[int]string, want int) string {
	const enough = 20
	var names []string
	for i := range want {
		if _, ok := have[i]; !ok {
			names = append(names, strconv.Itoa(i))
		}
	}
	verb := " is"
	if len(names) > 1 {
		verb = " are"
	}
	if more := len(names) - enough; more > 0 {
		return fmt.Sprintf("%s and %d more are", strings.Join(names[:enough], ", "), more)
	}
	return strings.Join(names, ", ") + verb
}
