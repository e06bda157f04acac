package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r, err := prepare(ctx, os.Args[1:])
	if err == nil {
		err = r.make(ctx, compile)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// prepare returns the release that the arguments ask for.
func prepare(ctx context.Context, args []string) (*release, error) {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	source := flags.String("source", ".", "the `folder` of a clone of gatehouse")
	out := flags.String("o", "dist", "the `folder` for the files; it must be empty or not exist")
	address := flags.String("url", "https://example.com/gatehouse/releases", "the `address` under which the files will be published")
	platforms := flags.String("platforms", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64",
		"the `platforms` to build for")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	left, err := os.ReadDir(*out)
	if err != nil && !errors.Is(err, os.ErrNotExist) || len(left) > 0 {
		return nil, fmt.Errorf("%s is not an empty folder", *out)
	}
	committed, err := commitTime(ctx, *source)
	if err != nil {
		return nil, err
	}
	r := &release{source: *source, out: *out, address: strings.TrimSuffix(*address, "/"), committed: committed}
	for platform := range strings.SplitSeq(*platforms, ",") {
		goos, arch, found := strings.Cut(platform, "/")
		if !found {
			return nil, fmt.Errorf("-platforms: %q is not OS/ARCH", platform)
		}
		r.platforms = append(r.platforms, target{os: goos, arch: arch})
	}
	return r, nil
}

// commitTime returns the time of the commit of a clone.
func commitTime(ctx context.Context, source string) (time.Time, error) {
	command := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct")
	command.Dir = source
	seconds, err := command.Output()
	if err != nil {
		return time.Time{}, fmt.Errorf("reading the time of the commit: %w", err)
	}
	unix, err := strconv.ParseInt(strings.TrimSpace(string(seconds)), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("reading the time of the commit: %w", err)
	}
	return time.Unix(unix, 0).UTC(), nil
}

// compile builds a program for a platform, without cgo, symbols and paths.
func compile(ctx context.Context, source, name string, t target, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", file, "./cmd/"+name)
	command.Dir = source
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=")
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("building %s for %s: %w", name, t, err)
	}
	return nil
}
