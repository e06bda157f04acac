package command

import (
	"errors"
	"os"

	"example.com/gatehouse/internal/manifest"
)

// FileName returns what messages call a path: "-" is standard input.
func FileName(path string) string {
	if path == "-" {
		return manifest.StandardInput
	}
	return path
}

// FileError takes from an error of package os the path, which the caller names
// itself. Other errors are returned as they are.
func FileError(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
