package golden

import (
	"fmt"
	"path/filepath"
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite/expect"
)

// Update writes golden files, each of them once: a later case must not
// overwrite the file of an earlier one. The zero value is ready to use.
type Update struct {
	mu sync.Mutex
	// written are the files that were written or were up to date, by canonical
	// path.
	written map[string]bool
}

// Write calls the function Write the first time that it gets a file. Afterwards
// it calls Check: all cases with the file need the same object.
func (u *Update) Write(
	path string, r *admission.Response,
) (failures []expect.Failure, written bool, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.written[canonicalPath(path)] {
		failures, err = Check(path, r)
		if len(failures) > 0 {
			shared := fmt.Sprintf("%s is also the golden file of an earlier case with another final object",
				message.Escaped(path))
			failures = append(failed(shared), failures...)
		}
		return failures, false, err
	}
	if written, err = Write(path, r); err != nil {
		return nil, false, err
	}
	if u.written == nil {
		u.written = map[string]bool{}
	}
	u.written[canonicalPath(path)] = true // after Write, so that links resolve
	return nil, written, nil
}

// canonicalPath returns one path for all paths of a file that exists.
func canonicalPath(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return path
}
