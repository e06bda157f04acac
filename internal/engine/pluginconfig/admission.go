package pluginconfig

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/config/apis/webhookadmission"
	"k8s.io/apiserver/pkg/apis/apiserver"
	apiserverv1 "k8s.io/apiserver/pkg/apis/apiserver/v1"
	apiserverv1alpha1 "k8s.io/apiserver/pkg/apis/apiserver/v1alpha1"
)

// Admission reads an AdmissionConfiguration and returns what it says for each of
// the named plugins, in their order; nothing for those that it does not name.
// Errors about a plugin's own configuration begin with its name, as those of
// apiserver's registry do (S-003).
func Admission(file string, plugins ...string) ([]*webhookadmission.WebhookAdmission, error) {
	entries, err := readEntries(file, plugins)
	if err != nil {
		return nil, err
	}
	var configs []*webhookadmission.WebhookAdmission
	for _, plugin := range plugins {
		own, err := entries.open(plugin)
		if err != nil {
			return nil, err
		}
		config, err := Webhooks(own)
		if err != nil {
			return nil, fmt.Errorf("couldn't init admission plugin %q: %w", plugin, err)
		}
		configs = append(configs, config)
	}
	return configs, nil
}

// entries are what an AdmissionConfiguration says for plugins.
type entries struct {
	// base is what relative paths are relative to.
	base    string
	plugins []apiserver.AdmissionPluginConfiguration
}

// readEntries has apiserver's reader judge the file and then decodes it itself:
// that reader would end the process when a plugin's file cannot be read, and keeps
// the paths to itself (S-031).
func readEntries(file string, plugins []string) (*entries, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{apiserver.AddToScheme, apiserverv1alpha1.AddToScheme, apiserverv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("building the scheme of AdmissionConfiguration: %w", err)
		}
	}
	if _, err := apiadmission.ReadAdmissionConfiguration(plugins, file, scheme); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("unable to read admission control configuration from %q [%w]", file, err)
	}
	config := &apiserver.AdmissionConfiguration{}
	if decoded, err := runtime.Decode(serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDecoder(), data); err == nil {
		config, _ = decoded.(*apiserver.AdmissionConfiguration)
	}
	// What has been accepted and cannot be decoded is the old file of a plugin that
	// has nothing to do with webhooks (S-032).
	base := filepath.Dir(file)
	if base == "." {
		base, err = os.Getwd()
	}
	return &entries{base: base, plugins: config.Plugins}, err
}

// open returns a plugin's configuration, nil if it has none. The first entry
// counts, and in it what is written there before what is written elsewhere (S-031).
func (e *entries) open(plugin string) (io.Reader, error) {
	at := slices.IndexFunc(e.plugins, func(p apiserver.AdmissionPluginConfiguration) bool { return p.Name == plugin })
	if at < 0 {
		return nil, nil
	}
	entry := e.plugins[at]
	if entry.Configuration != nil {
		return bytes.NewReader(entry.Configuration.Raw), nil
	}
	if entry.Path == "" {
		return nil, nil
	}
	if !filepath.IsAbs(entry.Path) {
		entry.Path = filepath.Join(e.base, entry.Path)
	}
	data, err := os.ReadFile(entry.Path)
	if err != nil {
		return nil, fmt.Errorf("couldn't open admission plugin configuration %s: %w", entry.Path, err)
	}
	return bytes.NewReader(data), nil
}
