package cluster

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// nothingToAdmit returns why there is no object to admit.
func (in *Set) nothingToAdmit() error {
	reason := "the arguments hold no objects"
	switch {
	case in.fallback():
		reason = "the files after -f only describe the cluster; " +
			"give the objects to admit as arguments"
	case len(in.unused) > 0:
		return fmt.Errorf("nothing to admit: objects after -f are not admitted, give %s as an argument",
			in.unused[0].File)
	}
	return errors.New(strings.Join(append([]string{"nothing to admit: " + reason}, in.unread...), "; "))
}

// Use describes how the caller used the inputs.
type Use struct {
	// Unheeded are flags without effect on request files.
	Unheeded []string
	// OtherWebhooks is true if there are webhooks besides those of the inputs, and
	// Unadmitted if the caller admits no object.
	OtherWebhooks, Unadmitted bool
}

// Remarks returns one line for each input that is valid but probably not
// intended.
func (in *Set) Remarks(use Use) []string {
	var all []string
	all = append(all, in.Pointless()...)
	all = append(all, in.unread...)
	all = append(all, in.checked.repeated.shown("objects are already given; gatehouse admits each")...)
	all = append(all, in.checked.stray.shown("objects of --old are not used")...)
	all = append(all, in.unheeded(use.Unheeded)...)
	all = append(all, in.Deprecations()...)
	if len(in.Configurations)+len(in.Policies) == 0 && !use.OtherWebhooks && !use.Unadmitted {
		all = append(all, "the inputs have no webhook configuration: everything is admitted")
	}
	return all
}

// Pointless returns a line for each path of Files.Configs in which nothing
// describes the cluster. Other paths may hold such objects: a folder has
// everything that is deployed.
func (in *Set) Pointless() []string {
	var all []string
	named := policies.ParamKinds(in.Policies)
	for _, p := range in.pointless {
		if slices.ContainsFunc(p.kinds, func(kind schema.GroupVersionKind) bool {
			return slices.Contains(named, kind)
		}) {
			continue
		}
		all = append(all, manifest.FileName(p.path)+
			": has no effect, because nothing in it describes the cluster")
	}
	return all
}

// pointlessPath is a path with objects that do not describe the cluster, unless
// they are params.
type pointlessPath struct {
	path  string
	kinds []schema.GroupVersionKind
}

// Deprecations returns a line for each configuration of a version that is no
// longer served.
func (in *Set) Deprecations() []string {
	var all []string
	for _, d := range in.deprecated {
		all = append(all, remark(d, "apiVersion", "%s", webhookconfig.Deprecation(d.Kind)))
	}
	return all
}

// remark returns a remark about a field of a document.
func remark(d *manifest.Document, field, format string, args ...any) string {
	return d.Wrap(field, fmt.Errorf(format, args...)).Error()
}

// unheeded returns a remark about flags that do not apply to requests in files.
func (in *Set) unheeded(flags []string) []string {
	if len(flags) == 0 {
		return nil
	}
	all := lines{count: in.checked.fileCount}
	for _, d := range in.checked.files {
		all.text = append(all.text, remark(d, "", "%s has its own settings: these flags have no effect on it: %s",
			d.Kind.Kind, strings.Join(flags, ", ")))
	}
	return all.shown("requests have their own settings")
}
