package results

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/message"
)

// CorpusDigest identifies the content of a corpus. It reads all files, and refuses
// what can be read only once.
func CorpusDigest(ctx context.Context, paths ...string) (string, error) {
	files, err := corpus.Files(paths...)
	if err != nil {
		return "", message.ReadError(err)
	}
	sum := sha256.New()
	for _, name := range files {
		if err := digestFile(ctx, sum, name); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

func digestFile(ctx context.Context, sum io.Writer, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return message.ReadError(err)
	}
	if !info.Mode().IsRegular() {
		return &message.InputError{Err: fmt.Errorf("%s: is not a regular file, which gatehouse must read twice", name)}
	}
	file, err := os.Open(name)
	if err != nil {
		return message.ReadError(err)
	}
	defer func() { _ = file.Close() }() // nothing was written
	if _, err := io.Copy(sum, &interruptible{ctx, file}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// interruptible is a reader that ends with its context.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}
