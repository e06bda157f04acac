package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"example.com/gatehouse/internal/cli"
)

// documents returns what the archive of each platform has beside the programs.
func (r *release) documents(ctx context.Context) ([]file, error) {
	var err error
	if r.modules, err = licensed(ctx, r.source, r.modules); err != nil {
		return nil, err
	}
	var files []file
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{path: name, content: content})
	}
	files = append(files, file{path: "THIRD_PARTY_LICENSES", content: thirdParties(r.modules)})
	completions, err := completions(cli.New())
	if err != nil {
		return nil, err
	}
	pages, err := r.manPages(cli.New())
	if err != nil {
		return nil, err
	}
	return append(append(files, completions...), pages...), nil
}

// completions returns the completion script for each shell.
func completions(root *cobra.Command) ([]file, error) {
	var bash, zsh, fish, powershell bytes.Buffer
	for _, err := range []error{
		root.GenBashCompletionV2(&bash, true), root.GenZshCompletion(&zsh),
		root.GenFishCompletion(&fish, true), root.GenPowerShellCompletionWithDesc(&powershell),
	} {
		if err != nil {
			return nil, err
		}
	}
	return []file{
		{path: "completions/gatehouse.bash", content: bash.Bytes()},
		{path: "completions/_gatehouse", content: zsh.Bytes()},
		{path: "completions/gatehouse.fish", content: fish.Bytes()},
		{path: "completions/gatehouse.ps1", content: powershell.Bytes()},
	}, nil
}

// manPages returns a man page for each command.
func (r *release) manPages(root *cobra.Command) ([]file, error) {
	folder, err := os.MkdirTemp("", "gatehouse-man-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Date: &r.committed, Source: "gatehouse " + r.version, Manual: "gatehouse"}
	if err := doc.GenManTree(root, header, folder); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var pages []file
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		pages = append(pages, file{path: "man/man1/" + entry.Name(), content: content})
	}
	return pages, nil
}
