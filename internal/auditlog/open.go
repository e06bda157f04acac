package auditlog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"example.com/gatehouse/internal/message"
)

// The first bytes of compressed files.
var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// decompressed returns the content of a file, whether it is compressed or not.
func decompressed(r io.Reader) (io.Reader, func(), error) {
	buffered := bufio.NewReader(r)
	// A file may be shorter, and then it is not compressed.
	magic, _ := buffered.Peek(len(zstdMagic))
	switch {
	case bytes.HasPrefix(magic, gzipMagic):
		z, err := gzip.NewReader(buffered)
		return z, func() {}, err
	case bytes.HasPrefix(magic, zstdMagic):
		z, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(maxLine))
		if err != nil {
			return nil, func() {}, err
		}
		return z, z.Close, nil
	}
	return buffered, func() {}, nil
}

// Files returns the paths with the files of folders in place of the folders. "-" stays. The
// error names a path that cannot be read.
func Files(paths []string) ([]string, error) {
	var all []string
	for _, path := range paths {
		if path == "-" {
			all = append(all, path)
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		if !info.IsDir() {
			all = append(all, path)
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		for _, entry := range entries {
			if entry.Type().IsRegular() {
				all = append(all, filepath.Join(path, entry.Name()))
			}
		}
	}
	return all, nil
}

func unreadable(path string, err error) error {
	return fmt.Errorf("%s: cannot be read: %w", message.Quoted(path), message.FileError(err))
}
