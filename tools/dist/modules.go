package main

import (
	"bytes"
	"cmp"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"example.com/gatehouse/internal/cli/command"
)

// module is a module of which a program has code.
type module struct {
	path, version string
	// folder is its folder in the module cache.
	folder string
	// licenses are its files about its license.
	licenses []file
}

// inspect returns the version of programs and the modules of which they have code.
func inspect(programs []string) (string, []module, error) {
	version, found := "", map[string]module{}
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return "", nil, err
		}
		version = command.Version(info)
		for _, m := range info.Deps {
			found[m.Path] = module{path: m.Path, version: m.Version}
		}
	}
	var modules []module
	for _, path := range sortedKeys(found) {
		modules = append(modules, found[path])
	}
	return version, modules, nil
}

// licensed finds the licenses of modules in the module cache. A module without one is an
// error: its code must not be distributed.
func licensed(ctx context.Context, source string, modules []module) ([]module, error) {
	arguments := []string{"mod", "download", "-json"}
	for _, m := range modules {
		arguments = append(arguments, m.path+"@"+m.version)
	}
	list := exec.CommandContext(ctx, "go", arguments...)
	list.Dir = source
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("looking for the modules: %w", err)
	}
	folders := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var m struct{ Path, Dir string }
		if err := decoder.Decode(&m); err != nil {
			return nil, fmt.Errorf("looking for the modules: %w", err)
		}
		folders[m.Path] = m.Dir
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("looking for Go: %w", err)
	}
	all := []module{{path: "std", version: runtime.Version(), folder: strings.TrimSpace(string(root))}}
	for _, m := range modules {
		m.folder = folders[m.path]
		all = append(all, m)
	}
	for i := range all {
		if all[i].licenses, err = licensesIn(all[i].folder); err != nil {
			return nil, err
		}
		if len(all[i].licenses) == 0 {
			return nil, fmt.Errorf("%s has no license", all[i].path)
		}
	}
	return all, nil
}

var licenseName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-.].*)?$`)

// licensesIn reads the files about the license in a folder.
func licensesIn(folder string) ([]file, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var found []file
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !licenseName.MatchString(entry.Name()) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		found = append(found, file{path: entry.Name(), content: content})
	}
	slices.SortFunc(found, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	return found, nil
}

// thirdParties puts the licenses of modules into one text.
func thirdParties(modules []module) []byte {
	var text strings.Builder
	text.WriteString("The programs have code of these modules, under these licenses.\n")
	for _, m := range modules {
		for _, license := range m.licenses {
			fmt.Fprintf(&text, "\n%s\n%s %s: %s\n%[1]s\n\n%s\n", strings.Repeat("=", 80), m.path, m.version,
				license.path, strings.TrimSpace(string(license.content)))
		}
	}
	return []byte(text.String())
}
