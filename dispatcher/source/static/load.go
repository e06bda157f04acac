package static

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/admission/plugin/manifest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration"
)

// Load reads the manifests of a phase's folder, even while they are being
// written. It returns the configurations and the hash of the files (S-041). The
// configurations are all *MutatingWebhookConfiguration or all
// *ValidatingWebhookConfiguration of v1, with defaults, validated and sorted by
// name. The caller owns them.
//
// The error is about the first invalid manifest and names the file (S-040 to
// S-045).
func Load(
	dir string, phase admission.Phase,
) (configurations []runtime.Object, hash string, err error) {
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
	slices.SortStableFunc(l.loaded,
		func(a, b registration.Configuration) int { return cmp.Compare(a.GetName(), b.GetName()) })
	for _, c := range l.loaded {
		configurations = append(configurations, c)
	}
	return configurations, hash, nil
}

// checkRegular rejects manifests that are not regular files, such as pipes:
// reading them may never end. Reading reports files whose type cannot be
// determined.
func checkRegular(dir string) error {
	manifests := fingerprintOf(dir)
	for _, name := range slices.Sorted(maps.Keys(manifests)) {
		if f := manifests[name]; f != nil && !f.Mode().IsRegular() && !f.IsDir() {
			return fmt.Errorf("failed to read file %q: it is not a regular file", filepath.Join(dir, name))
		}
	}
	return nil
}

// loader collects the configurations of one folder.
type loader struct {
	phase   admission.Phase
	decoder runtime.Decoder
	// fileOf maps the name of a configuration to its file.
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

// addObject adds an object of a file. For a List it adds the items, which may
// be lists themselves (S-042).
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

// addConfigurations adds a configuration, or the configurations of a list of
// its kind, if they belong to the phase. The order of the two loops decides
// which of several errors is returned, as in kube-apiserver.
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

// configurationsIn returns the object, or the items of the list, if they are
// configurations of the phase's kind, and nil for other objects.
func configurationsIn(obj runtime.Object, phase admission.Phase) []registration.Configuration {
	gvk, kind := obj.GetObjectKind().GroupVersionKind(), kindFor(phase)
	if gvk.GroupVersion() != registrationv1.SchemeGroupVersion ||
		gvk.Kind != kind && gvk.Kind != kind+"List" {
		return nil
	}
	if c, ok := obj.(registration.Configuration); ok {
		return []registration.Configuration{c}
	}
	found := []registration.Configuration{}
	_ = meta.EachListItem(obj, func(item runtime.Object) error {
		found = append(found, item.(registration.Configuration))
		return nil
	})
	return found
}

// checkClients rejects webhooks with a service, which static manifests do not
// support, and webhooks without a URL (S-045).
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

// newDecoder returns a strict decoder of the types that a manifest may hold and
// of the other types of kube-apiserver's decoder: an object of another
// version is rejected for its type, not as unknown (S-042).
//
// Compat: S-042: an object of kind List is a List under any apiVersion.
func newDecoder() (runtime.Decoder, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		registrationv1.AddToScheme, registrationv1beta1.AddToScheme, registrationv1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	scheme.AddUnversionedTypes(metav1.SchemeGroupVersion, &metav1.List{}, &metav1.Status{})
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer(), nil
}
