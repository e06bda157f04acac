package github

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"example.com/gatehouse/internal/manifest"
)

// Level says how GitHub shows a message.
type Level string

const (
	// Error marks a failure.
	Error Level = "error"
	// Warning marks what should be looked at.
	Warning Level = "warning"
	// Notice marks a remark.
	Notice Level = "notice"
)

// Annotation returns the workflow command for a message about a line of a file. file is
// empty, or manifest.StandardInput, if there is no position in the repository.
func Annotation(level Level, file string, line int, title, text string) []byte {
	at := ""
	if file != "" && file != manifest.StandardInput {
		at = fmt.Sprintf("file=%s,line=%d,", property(repositoryPath(file)), line)
	}
	return fmt.Appendf(nil, "::%s %stitle=%s::%s\n", level, at, property(title), escapedMessage(text))
}

// escapedMessage and property escape texts in workflow commands, as the runner
// unescapes them.
func escapedMessage(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(withoutLegacy(text))
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapedMessage(text))
}

// repositoryPath returns a path relative to the root of the repository, with
// slashes. Outside of a workflow it is relative to the working directory.
func repositoryPath(path string) string {
	root, err := filepath.Abs(os.Getenv("GITHUB_WORKSPACE")) // if empty: the working directory
	whole, err2 := filepath.Abs(path)
	if errors.Join(err, err2) != nil {
		return filepath.ToSlash(path)
	}
	relative, err := filepath.Rel(root, whole)
	if err != nil || !filepath.IsLocal(relative) {
		relative = path
	}
	return filepath.ToSlash(relative)
}
