package cli

import (
	"errors"
	"fmt"
	"os"

	"example.com/gatehouse/internal/manifest"
)

// named returns what messages call a path.
func named(path string) string {
	if path == "-" {
		return manifest.StandardInput
	}
	return path
}

// readFile returns what is in a file. The error names the file once.
func readFile(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", path, reasonOf(err))
	}
	return text, nil
}

// reasonOf takes from an error of package os the path that the caller names itself.
func reasonOf(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
