package static

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/plugin/manifest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration"
)

// Load reads the manifests of a phase's folder, with no regard to whether it is
// being written: the configurations, which are all *MutatingWebhookConfiguration or
// all *ValidatingWebhookConfiguration of v1, defaulted, validated and sorted by
// name; and the hash of the files that they came from (S-041). Both belong to the
// caller.
//
// The error is about the first mistake and names the file (S-040 to S-045).
func Load(dir string, phase admission.Phase) (configurations []runtime.Object, hash string, err error) {
	if err := checkRegular(dir); err != nil {
		return nil, "", err
	}
	files, hash, err := manifest.LoadFiles(dir)
	if err != nil {
		return nil, "", err
	}
	l, err := newLoader(phase)
	if err != nil {
		return nil, "", err
	}
	for _, f := range files {
		if err := l.add(f); err != nil {
			return nil, "", fmt.Errorf("error loading %s: %w", f.FilePath, err)
		}
	}
	slices.SortStableFunc(l.loaded, func(a, b registration.Configuration) int { return cmp.Compare(a.GetName(), b.GetName()) })
	for _, c := range l.loaded {
		configurations = append(configurations, c)
	}
	return configurations, hash, nil
}

// checkRegular refuses manifests that are no files, such as pipes: reading them may
// never end. What cannot be looked at is left for reading to report.
func checkRegular(dir string) error {
	for _, f := range fingerprintOf(dir).files {
		if f.info != nil && !f.info.Mode().IsRegular() && !f.info.IsDir() {
			return fmt.Errorf("failed to read file %q: it is not a regular file", filepath.Join(dir, f.name))
		}
	}
	return nil
}

// loader collects the configurations of one folder.
type loader struct {
	phase   admission.Phase
	decoder runtime.Decoder
	// places says in which file a name was seen.
	fileOf map[string]string
	loaded []registration.Configuration
}

func newLoader(phase admission.Phase) (*loader, error) {
	decoder, err := newDecoder()
	if err != nil {
		return nil, fmt.Errorf("preparing to decode manifests: %w", err)
	}
	return &loader{phase: phase, decoder: decoder, fileOf: map[string]string{}}, nil
}

func (l *loader) add(doc manifest.FileDoc) error {
	obj, _, err := l.decoder.Decode(doc.Doc, nil, nil)
	if err != nil {
		return err
	}
	return l.addObject(obj, doc.FilePath)
}

// accept takes an object that was found in a file, or those in a list, and lists
// in it (S-042).
func (l *loader) addObject(obj runtime.Object, file string) error {
	list, ok := obj.(*metav1.List)
	if !ok {
		return l.addConfigurations(obj, file)
	}
	for _, item := range list.Items {
		obj, _, err := l.decoder.Decode(item.Raw, nil, nil)
		if err != nil {
			return fmt.Errorf("failed to decode list item: %w", err)
		}
		if err := l.addObject(obj, file); err != nil {
			return err
		}
	}
	return nil
}

// acceptConfigurations takes a configuration, or those of a list of its kind, if
// the phase has a use for them. Which of several mistakes is told depends on the
// order of the two loops, and so is visible.
func (l *loader) addConfigurations(obj runtime.Object, file string) error {
	found := configurationsIn(obj, l.phase)
	if found == nil {
		return fmt.Errorf("unsupported resource type %T", obj)
	}
	for _, c := range found {
		registration.Default(c)
		if errs := registration.ValidateStatic(c); len(errs) > 0 {
			return fmt.Errorf("%s %q: %w", kindFor(l.phase), c.GetName(), errs.ToAggregate())
		}
	}
	for _, c := range found {
		if err := manifest.ValidateManifestName(c.GetName(), file, l.fileOf); err != nil {
			return err
		}
		if err := checkClients(c, file); err != nil {
			return err
		}
	}
	l.loaded = append(l.loaded, found...)
	return nil
}

// configurationsIn returns the configurations of the phase's kind that an object
// is or lists; nil for other objects.
func configurationsIn(obj runtime.Object, phase admission.Phase) []registration.Configuration {
	found := []registration.Configuration{}
	switch c := obj.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		if phase == admission.Mutating {
			return append(found, c)
		}
	case *registrationv1.MutatingWebhookConfigurationList:
		for i := range c.Items {
			found = append(found, &c.Items[i])
		}
		if phase == admission.Mutating {
			return found
		}
	case *registrationv1.ValidatingWebhookConfiguration:
		if phase == admission.Validating {
			return append(found, c)
		}
	case *registrationv1.ValidatingWebhookConfigurationList:
		for i := range c.Items {
			found = append(found, &c.Items[i])
		}
		if phase == admission.Validating {
			return found
		}
	}
	return nil
}

// checkClients refuses webhooks behind services, which need a cluster to be found
// (S-045).
func checkClients(c registration.Configuration, file string) error {
	for _, w := range webhooksOf(c) {
		if w.ClientConfig.Service != nil {
			return fmt.Errorf("webhook %q in %q (file %q): clientConfig.service is not supported for static manifests; use clientConfig.url instead", w.Name, c.GetName(), file)
		}
		if w.ClientConfig.URL == nil || *w.ClientConfig.URL == "" {
			return fmt.Errorf("webhook %q in %q (file %q): clientConfig.url is required for static manifests", w.Name, c.GetName(), file)
		}
	}
	return nil
}

func kindFor(phase admission.Phase) string {
	if phase == admission.Mutating {
		return "MutatingWebhookConfiguration"
	}
	return "ValidatingWebhookConfiguration"
}
