package golden

import (
	"fmt"
	"path/filepath"
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite/expect"
)

// Update writes golden files, each of them once: what is written for one case must not be
// overwritten for another. The zero value has written none.
type Update struct {
	mu sync.Mutex
	// settled are the files that say by now what is expected, by their places.
	settled map[string]bool
}

// Write writes a file, as the function Write does, if it is the first time that Update sees
// it. Afterwards the file is compared, as by Check: the two cases that name it have to come
// to the same object.
func (u *Update) Write(path string, r *admission.Response) (failures []expect.Failure, written bool, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.settled[place(path)] {
		failures, err = Check(path, r)
		if len(failures) > 0 {
			shared := fmt.Sprintf("%s is that of an earlier case already, which comes to another object", message.Escaped(path))
			failures = append(failed(shared), failures...)
		}
		return failures, false, err
	}
	if written, err = Write(path, r); err != nil {
		return nil, false, err
	}
	if u.settled == nil {
		u.settled = map[string]bool{}
	}
	u.settled[place(path)] = true // it is there now, so that links to it can be followed
	return nil, written, nil
}

// place returns one path for all that lead to a file. A file that is not there has as many
// as there are.
func place(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return path
}
