package message

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// FileError takes from an error of package os the path, which the caller names
// itself. Other errors are returned as they are.
func FileError(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// NoRequests returns the error of files that hold no requests.
func NoRequests(paths []string) *InputError {
	return &InputError{Err: fmt.Errorf("%s: holds no requests", strings.Join(paths, ", "))}
}

// ReadError returns an error of reading files as an InputError. One of package os says
// which file cannot be read.
func ReadError(err error) *InputError {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		err = fmt.Errorf("%s: cannot be read: %w", pathError.Path, pathError.Err)
	}
	return &InputError{Err: err}
}
