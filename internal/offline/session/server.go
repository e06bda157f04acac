package session

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/source/static"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// server has the credentials and static webhooks of the flags and of the file
// of --admission-control-config-file.
type server struct {
	// kubeconfigs are the files with credentials by phase; empty for none.
	kubeconfigs map[admission.Phase]string
	// folders hold the static webhooks.
	folders []*static.Folder
}

// readServer reads the file and its static manifests, once. --kubeconfig-auth
// takes precedence over the file.
func readServer(o *Options, ca []byte) (*server, error) {
	plugins, err := flags.Admission(o.admissionConfig)
	if err != nil {
		return nil, err
	}
	s := &server{kubeconfigs: map[admission.Phase]string{}}
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		s.kubeconfigs[phase] = cmp.Or(o.kubeconfigAuth, plugins[phase].Kubeconfig)
		if dir := plugins[phase].StaticManifests; dir != "" {
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
				webhookconfig.Trust(c, ca)
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
