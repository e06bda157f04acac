package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// answers is what webhooks say beside the uid, by path. Those that are not
// listed have no objection.
type answers map[string]string

const noObjection = `"allowed":true`

// patching is the answer of a webhook that has no objection but to the object.
func patching(patch string) string {
	return noObjection + `,"patchType":"JSONPatch","patch":"` + base64.StdEncoding.EncodeToString(
		[]byte(patch)) + `"`
}

// to returns the whole answer to a review.
func (a answers) to(path string, uid []byte) []byte {
	said, listed := a[path]
	if !listed {
		said = noObjection
	}
	const before = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"`
	answer := make([]byte, 0, len(before)+len(uid)+len(said)+len(`",}}`))
	answer = append(append(answer, before...), uid...)
	answer = append(append(answer, `",`...), said...)
	return append(answer, `}}`...)
}

// reader reads reviews at the least cost, so that what is measured is not the
// reading: into a buffer that is used again, and nothing of it is kept.
type reader struct{ buffers sync.Pool }

func newReader() *reader {
	return &reader{buffers: sync.Pool{New: func() any { return new([bufferSize]byte) }}}
}

const (
	bufferSize = 8 << 10
	// headSize is how much of a body has its uid in it.
	headSize = 256
)

// review is what a webhook has to know of the review that it is sent.
type review struct {
	uid  []byte
	body []byte // nil unless it was to be kept
}

// read reads a body to its end and has answer called while the uid is there.
// The pause comes after the head.
func (r *reader) read(
	body io.Reader, keep bool, pause func(), answer func(review) []byte,
) ([]byte, error) {
	buffer := r.buffers.Get().(*[bufferSize]byte)
	defer r.buffers.Put(buffer)
	n, err := io.ReadAtLeast(body, buffer[:], headSize)
	if err != nil {
		return nil, fmt.Errorf("reading a review: %w", err)
	}
	found, err := uidIn(buffer[:n])
	if err != nil {
		return nil, err
	}
	var uid [uidSize]byte
	copy(uid[:], found)
	pause()
	if keep {
		rest, err := io.ReadAll(body)
		return answer(review{uid[:], slices.Concat(buffer[:n], rest)}), err
	}
	for err == nil {
		_, err = body.Read(buffer[:])
	}
	if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading a review: %w", err)
	}
	return answer(review{uid: uid[:]}), nil
}

const uidSize = 36

func uidIn(head []byte) ([]byte, error) {
	const key = `"uid":"`
	at := bytes.Index(head, []byte(key))
	if at < 0 || len(head) < at+len(key)+uidSize {
		return nil, fmt.Errorf("a review begins without its uid: %.256s", head)
	}
	return head[at+len(key):][:uidSize], nil
}
