package message

import (
	"errors"
	"fmt"
	"os"
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

// ReadError returns an error of reading files as an InputError. One of package os says
// which file cannot be read.
func ReadError(err error) *InputError {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		err = fmt.Errorf("%s: cannot be read: %w", pathError.Path, pathError.Err)
	}
	return &InputError{Err: err}
}
