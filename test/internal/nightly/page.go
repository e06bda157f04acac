package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

const introduction = `# Figures

What the stages of ` + "`make nightly`" + ` measured when each of them was last run. The command
writes this page; a run of some stages leaves the sections of the others as they are.
`

// write replaces the section of a stage in the file at path and keeps all
// others. The sections are in the order of stages.
func write(path string, r *result) error {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sections := sectionsOf(string(text))
	sections[r.name] = r.section()
	var page bytes.Buffer
	page.WriteString(introduction)
	for _, s := range stages() {
		page.WriteString(sections[s.name])
	}
	return os.WriteFile(path, page.Bytes(), 0o644)
}

var heading = regexp.MustCompile(`(?m)^\n## (\S+)$`)

// sectionsOf returns the sections of a page, each with its heading, by stage.
func sectionsOf(page string) map[string]string {
	sections := map[string]string{}
	found := heading.FindAllStringSubmatchIndex(page, -1)
	for i, at := range found {
		end := len(page)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		sections[page[at[2]:at[3]]] = page[at[0]:end]
	}
	return sections
}

// section is the part of the page about a stage.
func (r *result) section() string {
	return fmt.Sprintf("\n## %s\n\n%s, %s\n\n```\n%s\n```\n", r.name, r.summary(), r.where,
		strings.Join(r.figures, "\n"))
}

// commit returns the commit of the working tree, with "-dirty" if it has changes. The page
// does not count: a run of some stages may follow another one.
func commit(ctx context.Context, page string) string {
	head := git(ctx, "describe", "--always")
	if git(ctx, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!"+page) != "" {
		head += "-dirty"
	}
	return head
}

// git returns what a command of git prints, or "unknown" if it fails.
func git(ctx context.Context, arguments ...string) string {
	text, err := exec.CommandContext(context.WithoutCancel(ctx), "git", arguments...).Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}
