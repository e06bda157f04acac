package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var cloned = flag.String("platforms", "",
	"the `platforms` of the release that TestClones makes twice, or all; make dist-check gives them")

// TestClones makes a release twice, from two clean clones in different folders, and checks
// all of it. It unpacks and runs the programs for this machine.
func TestClones(t *testing.T) {
	if *cloned == "" {
		t.Skip("make dist-check builds the programs of each platform, which takes minutes")
	}
	r := twice(t, func() *release {
		source := filepath.Join(t.TempDir(), "clone")
		output(t, "git", "clone", "--quiet", "../..", source)
		out := filepath.Join(t.TempDir(), "dist")
		args := []string{"-source=" + source, "-o=" + out}
		if *cloned != "all" {
			args = append(args, "-platforms="+*cloned)
		}
		r, err := prepare(t.Context(), args)
		if err == nil {
			err = r.make(t.Context(), compile)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	})
	checkRelease(t, r)
	commit := strings.TrimSpace(output(t, "git", "rev-parse", "HEAD"))
	for _, target := range r.platforms {
		for _, program := range r.built[target] {
			if err := checkProgram(program.content, target, commit); err != nil {
				t.Errorf("%s for %s: %v", program.path, target, err)
			}
			if bytes.Contains(program.content, []byte(r.source)) {
				t.Errorf("%s for %s has the path of the clone", program.path, target)
			}
		}
		if target.os == runtime.GOOS && target.arch == runtime.GOARCH {
			runArchive(t, r, target, commit)
		}
	}
}

// runArchive unpacks the archive of a platform and runs its programs.
func runArchive(t *testing.T, r *release, on target, commit string) {
	t.Helper()
	folder := t.TempDir()
	output(t, "tar", "-xzf", filepath.Join(r.out, r.archives[on]), "-C", folder)
	folder = filepath.Join(folder, strings.TrimSuffix(r.archives[on], ".tar.gz"))
	said := output(t, filepath.Join(folder, "gatehouse"), "version")
	if want := "gatehouse " + r.version + " (commit " + commit + ")\n"; !strings.HasPrefix(said, want) {
		t.Errorf("it is %q, want %q", said, want)
	}
	output(t, filepath.Join(folder, "gatehouse"), "demo")
	output(t, filepath.Join(folder, "gatehouse-apiserver"), "--help")
}

// output returns what a command prints.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	command := exec.Command(name, args...)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, &stderr)
	}
	return string(out)
}

// checkProgram checks that a program is one for a platform, and how it was built. The commit
// is "" if the program has none.
func checkProgram(content []byte, on target, commit string) error {
	info, err := buildinfo.Read(bytes.NewReader(content))
	if err != nil {
		return err
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	want := map[string]string{"GOOS": on.os, "GOARCH": on.arch, "CGO_ENABLED": "0", "-trimpath": "true"}
	if commit != "" {
		want["vcs.revision"], want["vcs.modified"] = commit, "false"
	}
	for key, value := range want {
		if settings[key] != value {
			err = errors.Join(err, fmt.Errorf("%s is %q, want %q", key, settings[key], value))
		}
	}
	machine, stripped, typeErr := fileType(content, on.os)
	if typeErr == nil && (machine != machines[on] || !stripped) {
		typeErr = fmt.Errorf("it is for %v, stripped: %t", machine, stripped)
	}
	return errors.Join(err, typeErr)
}

// machines has what the files of programs name.
var machines = map[target]any{
	{"linux", "amd64"}: elf.EM_X86_64, {"linux", "arm64"}: elf.EM_AARCH64,
	{"darwin", "amd64"}: macho.CpuAmd64, {"darwin", "arm64"}: macho.CpuArm64,
	{"windows", "amd64"}: uint16(pe.IMAGE_FILE_MACHINE_AMD64),
	{"windows", "arm64"}: uint16(pe.IMAGE_FILE_MACHINE_ARM64),
}

// fileType reads a program in the format of a system: which machine it is for, and that it
// has no debug information.
func fileType(content []byte, system string) (machine any, stripped bool, err error) {
	file := bytes.NewReader(content)
	switch system {
	case "darwin":
		f, err := macho.NewFile(file)
		if err != nil {
			return nil, false, err
		}
		return f.Cpu, f.Section("__debug_info") == nil && f.Section("__zdebug_info") == nil, nil
	case "windows":
		f, err := pe.NewFile(file)
		if err != nil {
			return nil, false, err
		}
		return f.Machine, f.Section(".debug_info") == nil && f.Section(".zdebug_info") == nil, nil
	}
	f, err := elf.NewFile(file)
	if err != nil {
		return nil, false, err
	}
	return f.Machine, f.Section(".symtab") == nil && f.Section(".debug_info") == nil, nil
}

// TestCheckProgram: a program for this machine passes, and no other does.
func TestCheckProgram(t *testing.T) {
	content, err := os.ReadFile(hello(t))
	if err != nil {
		t.Fatal(err)
	}
	for on := range machines {
		err := checkProgram(content, on, "")
		if here := on.os == runtime.GOOS && on.arch == runtime.GOARCH; here != (err == nil) {
			t.Errorf("for %s: %v", on, err)
		}
	}
	if err := checkProgram(content, target{runtime.GOOS, runtime.GOARCH}, "another"); err == nil {
		t.Error("the commit was not compared")
	}
}
