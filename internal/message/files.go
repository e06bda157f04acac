package message

import (
	"errors"
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
