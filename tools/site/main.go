package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	source := flag.String("source", ".", "the `folder` of a clone of gatehouse")
	out := flag.String("o", "site", "the `folder` for the pages; it must be empty or not exist")
	flag.Parse()
	if err := run(*source, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(source, out string, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
	left, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, os.ErrNotExist) || len(left) > 0 {
		return fmt.Errorf("%s is not an empty folder", out)
	}
	files, err := tracked(source)
	if err != nil {
		return err
	}
	s, err := read(source, files)
	if err != nil {
		return err
	}
	pages, err := s.render()
	if err != nil {
		return err
	}
	for name, content := range pages {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// tracked returns the files of a clone.
func tracked(source string) ([]string, error) {
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = source
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the files: %w", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}
