package plugin

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/metrics/upstream"
)

// loadStatic is the type of static.Config.Load.
type loadStatic func(dir string) ([]runtime.Object, string, error)

// SetManifestLoaders sets the host's loaders of manifests, which replace
// gatehouse's. kube-apiserver sets them; other servers do not. Nil, or a nil
// loader for the plugin's phase, changes nothing.
func (b *base) SetManifestLoaders(loaders *initializer.ManifestLoaders) {
	switch {
	case loaders == nil:
	case b.phase == admission.Mutating && loaders.LoadMutatingWebhookManifests != nil:
		b.loadStatic = toLoadStatic(loaders.LoadMutatingWebhookManifests)
	case b.phase == admission.Validating && loaders.LoadValidatingWebhookManifests != nil:
		b.loadStatic = toLoadStatic(loaders.LoadValidatingWebhookManifests)
	}
}

// toLoadStatic converts a loader of configurations of one kind.
func toLoadStatic[C runtime.Object](load func(string) ([]C, string, error)) loadStatic {
	return func(dir string) ([]runtime.Object, string, error) {
		found, hash, err := load(dir)
		objects := make([]runtime.Object, len(found))
		for i, c := range found {
			objects[i] = c
		}
		return objects, hash, err
	}
}

// openStatic opens the folder of manifests, once. It checks the feature gate
// every time (S-007).
func (b *base) openStatic() error {
	switch {
	case b.staticDir == "":
		return nil
	case !utilfeature.DefaultFeatureGate.Enabled(features.ManifestBasedAdmissionControlConfig):
		return fmt.Errorf("static webhook manifests dir %q configured but %s feature gate is not enabled",
			b.staticDir, features.ManifestBasedAdmissionControlConfig)
	case b.static != nil:
		return nil
	case b.drained == nil:
		return errors.New(
			"stopCh not set: WantsDrainedNotification must be called before ValidateInitialization")
	}
	folder, err := static.Open(static.Config{
		Dir:    b.staticDir,
		Phase:  b.phase,
		Load:   b.loadStatic,
		Exact:  b.options.exact,
		Report: b.staticReporter(),
	})
	if err != nil {
		return fmt.Errorf("failed to load static webhook manifests from %q: %w", b.staticDir, err)
	}
	b.static = folder
	return nil
}

// closeStatic closes the folder, if it is open. The next ValidateInitialization
// opens it again.
func (b *base) closeStatic() {
	if b.static != nil {
		b.static.Close()
		b.static = nil
	}
}

// withStatic returns the source of all webhooks, those of manifests first
// (S-051).
func (b *base) withStatic(api *source.Informed) dispatcher.Source {
	if b.static == nil {
		return api
	}
	return static.Merge(api, b.static)
}

// staticReporter returns a function that counts and logs the events of the
// folder, with kube-apiserver's messages (S-049, S-050, S-054).
func (b *base) staticReporter() func(static.Event) {
	counts := upstream.NewManifests(b.phase, b.apiServerID)
	log := klog.Background().WithValues("plugin", pluginName(b.phase))
	dir, client, retention := b.staticDir, b.client, &b.retention
	return func(e static.Event) {
		switch e.Kind {
		case static.Loaded:
			log.Info("Loaded manifest-based webhook configurations", "configurations", e.Configurations)
			counts.Reloaded(e.Hash)
		case static.Reloaded:
			log.Info("reloaded admission manifest config", "dir", dir)
			counts.Reloaded(e.Hash)
		case static.LoadFailed:
			log.Error(e.Err, "reloading admission manifest config", "dir", dir)
			counts.ReloadFailed()
		case static.CheckFailed:
			log.Error(e.Err, "manifest webhook accessor validation failed after reload", "dir", dir)
			counts.ReloadFailed()
		case static.WatchFailed:
			log.Error(e.Err, "watching manifest directory", "dir", dir)
		}
		if e.Snapshot != nil {
			retention.update(client, fromManifests, e.Snapshot)
		}
	}
}

func pluginName(phase admission.Phase) string {
	if phase == admission.Mutating {
		return MutatingName
	}
	return ValidatingName
}
