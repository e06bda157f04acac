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

// Admission reads an AdmissionConfiguration and returns the configurations of
// the given plugins, in their order; that of a plugin which the file does not
// name is empty. Errors about the configuration of a plugin begin with its
// name, as in apiserver's registry (S-003).
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

// entries are the entries of an AdmissionConfiguration.
type entries struct {
	// base is the folder of relative paths.
	base    string
	plugins []apiserver.AdmissionPluginConfiguration
}

// readEntries validates the file with apiserver's reader and decodes it again,
// because that reader ends the process if a plugin's file cannot be read, and
// does not return the paths (S-031).
func readEntries(file string, plugins []string) (*entries, error) {
	scheme := runtime.NewScheme()
	versions := runtime.NewSchemeBuilder(
		apiserver.AddToScheme, apiserverv1alpha1.AddToScheme, apiserverv1.AddToScheme)
	if err := versions.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("building the scheme of AdmissionConfiguration: %w", err)
	}
	if _, err := apiadmission.ReadAdmissionConfiguration(plugins, file, scheme); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("unable to read admission control configuration from %q [%w]",
			file, err)
	}
	config := &apiserver.AdmissionConfiguration{}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDecoder()
	// A file that apiserver's reader accepts and that cannot be decoded is the
	// old file of a plugin that has nothing to do with webhooks (S-032).
	if decoded, err := runtime.Decode(decoder, data); err == nil {
		config, _ = decoded.(*apiserver.AdmissionConfiguration)
	}
	base := filepath.Dir(file)
	if base == "." {
		base, err = os.Getwd()
	}
	return &entries{base: base, plugins: config.Plugins}, err
}

// open returns the configuration of a plugin; nil if it has none. The first
// entry of the plugin counts. In it, an inline configuration has precedence
// over a path (S-031).
func (e *entries) open(plugin string) (io.Reader, error) {
	at := slices.IndexFunc(e.plugins, func(p apiserver.AdmissionPluginConfiguration) bool {
		return p.Name == plugin
	})
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
