package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Load reads rows from a file with one on each line. The error names the line.
func Load(file string) ([]Row, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []Row
	seen := map[string]bool{}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		row, err := parse(line)
		if err == nil && seen[row.ID] {
			err = fmt.Errorf("%s is there twice", row.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		seen[row.ID] = true
		rows = append(rows, row)
	}
	return rows, nil
}

func parse(line []byte) (Row, error) {
	var row Row
	if err := decode(line, &row); err != nil {
		return row, err
	}
	return row, row.check()
}

// decode reads exactly one JSON value. An unknown member is an error, because a
// misspelt one would configure nothing.
func decode(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON")
	}
	return nil
}
