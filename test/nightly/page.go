package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// pageOf is the page with the figures of all stages.
func pageOf(ctx context.Context, results []result) []byte {
	var page bytes.Buffer
	fmt.Fprintf(&page, "# Figures\n\nWhat `make nightly` measured on %s, at commit %s, with %s on %d processors. It wrote this page.\n",
		time.Now().UTC().Format(time.DateOnly), commit(ctx), runtime.Version(), runtime.NumCPU())
	for _, r := range results {
		fmt.Fprintf(&page, "\n## %s\n\n`%s`\n\n```\n%s\n```\n", r.name, r.summary(), strings.Join(r.figures, "\n"))
	}
	return page.Bytes()
}

// commit is that of the working tree.
func commit(ctx context.Context) string {
	text, err := exec.CommandContext(context.WithoutCancel(ctx), "git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}
