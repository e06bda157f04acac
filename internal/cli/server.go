package cli

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/internal/fileconfig"
)

// The names of the plugins in a server's configuration file (S-001).
const (
	mutatingPlugin   = "MutatingAdmissionWebhook"
	validatingPlugin = "ValidatingAdmissionWebhook"
)

// server is what the flags and the file of --admission-control-config-file say
// about an API server.
type server struct {
	// kubeconfigs are the files with the credentials for the webhooks of each phase,
	// empty for none.
	kubeconfigs map[admission.Phase]string
	// folders hold the static webhooks.
	folders []*static.Folder
}

// readServer reads the file, and the static manifests that it leads to, once. What
// --kubeconfig-auth says counts more than what is in the file.
func readServer(o *options, ca []byte) (*server, error) {
	s := &server{kubeconfigs: map[admission.Phase]string{
		admission.Mutating: o.kubeconfigAuth, admission.Validating: o.kubeconfigAuth,
	}}
	if o.admissionConfig == "" {
		return s, nil
	}
	configs, err := fileconfig.Admission(o.admissionConfig, mutatingPlugin, validatingPlugin)
	if err != nil {
		return nil, fmt.Errorf("--admission-control-config-file: %w", err)
	}
	for i, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		if o.kubeconfigAuth == "" {
			s.kubeconfigs[phase] = configs[i].KubeConfigFile
		}
		if dir := configs[i].StaticManifestsDir; dir != "" {
			if err := s.open(dir, phase, o.exact, ca); err != nil {
				return nil, fmt.Errorf("failed to load static webhook manifests from %q: %w", dir, err)
			}
		}
	}
	return s, nil
}

// open adds a folder of static manifests.
func (s *server) open(dir string, phase admission.Phase, exact bool, ca []byte) error {
	folder, err := static.Open(static.Config{
		Dir: dir, Phase: phase, Once: true, Exact: exact,
		Load: func(dir string) ([]runtime.Object, string, error) {
			configurations, hash, err := static.Load(dir, phase)
			for _, c := range configurations {
				trust(c, ca)
			}
			return configurations, hash, err
		},
	})
	if err != nil {
		return err
	}
	s.folders = append(s.folders, folder)
	return nil
}

// webhooks returns the static webhooks.
func (s *server) webhooks() []*admission.Webhook {
	var webhooks []*admission.Webhook
	for _, folder := range s.folders {
		for _, w := range folder.Webhooks() {
			webhooks = append(webhooks, w.Webhook)
		}
	}
	return webhooks
}
