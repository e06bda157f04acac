package main

import (
	"fmt"
	"io"
	"strings"
)

// list writes the table of rows for docs/performance.md.
func list(w io.Writer, rows []row) error {
	text := "| row | what | gates | goals |\n|---|---|---|---|\n"
	for _, r := range rows {
		text += fmt.Sprintf("| %s | %s | %s | %s |\n", r.name, r.what, bounds(r.gates), bounds(r.goals))
	}
	_, err := io.WriteString(w, text)
	return err
}

func bounds(all []bound) string {
	var texts []string
	for _, b := range all {
		texts = append(texts, b.String())
	}
	return strings.Join(texts, ", ")
}
