package main

import (
	"bytes"
	_ "embed"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"
)

const (
	homepage = "https://example.com/gatehouse"
	short    = "Run admission webhooks as kube-apiserver does"
)

// krew is a plugin manifest of krew, the plugin manager of kubectl.
type krew struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   krewMetadata `json:"metadata"`
	Spec       krewSpec     `json:"spec"`
}

type krewMetadata struct {
	Name string `json:"name"`
}

type krewSpec struct {
	Version          string         `json:"version"`
	Homepage         string         `json:"homepage"`
	ShortDescription string         `json:"shortDescription"`
	Description      string         `json:"description"`
	Platforms        []krewPlatform `json:"platforms"`
}

type krewPlatform struct {
	Selector krewSelector `json:"selector"`
	URI      string       `json:"uri"`
	SHA256   string       `json:"sha256"`
	Files    []krewFile   `json:"files"`
	Bin      string       `json:"bin"`
}

type krewSelector struct {
	MatchLabels map[string]string `json:"matchLabels"`
}

type krewFile struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// writeKrew writes the manifest by which krew installs gatehouse as a plugin of kubectl.
func (r *release) writeKrew() error {
	manifest := krew{APIVersion: "krew.googlecontainertools.github.com/v1alpha2", Kind: "Plugin"}
	manifest.Metadata.Name = "gatehouse"
	manifest.Spec = krewSpec{
		Version: r.version, Homepage: homepage, ShortDescription: short,
		Description: "Says which admission webhooks and policies a request visits, why others are not\n" +
			"called, and what each one changes: for files, and for what it reads from a cluster.\n" +
			"Tests webhooks, finds their defects, and compares two sets of configurations.\n",
	}
	for _, t := range r.platforms {
		folder := strings.TrimSuffix(strings.TrimSuffix(r.archives[t], ".zip"), ".tar.gz")
		manifest.Spec.Platforms = append(manifest.Spec.Platforms, krewPlatform{
			Selector: krewSelector{MatchLabels: map[string]string{"os": t.os, "arch": t.arch}},
			URI:      r.uri(t), SHA256: r.sums[r.archives[t]],
			Files: []krewFile{{From: folder + "/*", To: "."}}, Bin: t.program("gatehouse"),
		})
	}
	content, err := yaml.Marshal(manifest)
	if err != nil {
		return err
	}
	return r.write("gatehouse.yaml", content)
}

// uri returns the address of the archive of a platform.
func (r *release) uri(t target) string { return r.address + "/" + r.version + "/" + r.archives[t] }

//go:embed formula.rb.tmpl
var formula string

// archive is an archive in the formula.
type archive struct{ OS, Arch, URL, SHA256 string }

// writeFormula writes the formula by which Homebrew installs gatehouse.
func (r *release) writeFormula() error {
	systems, archs := map[string]string{"darwin": "macos", "linux": "linux"}, map[string]string{"amd64": "intel", "arm64": "arm"}
	var archives []archive
	for _, t := range r.platforms {
		if systems[t.os] != "" {
			archives = append(archives, archive{
				OS: systems[t.os], Arch: archs[t.arch], URL: r.uri(t), SHA256: r.sums[r.archives[t]],
			})
		}
	}
	var out bytes.Buffer
	err := template.Must(template.New("formula").Parse(formula)).Execute(&out, map[string]any{
		"Short": short, "Homepage": homepage, "Version": strings.TrimPrefix(r.version, "v"), "Archives": archives,
	})
	if err != nil {
		return err
	}
	return r.write("gatehouse.rb", out.Bytes())
}
