package promise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/test/faultserver"
)

// stage is what a check needs. The zero value has no webhooks, and a server
// that allows.
type stage struct {
	phase    admission.Phase // required
	webhooks []webhook
	script   faultserver.Script
	// kubeconfig is the plugin's; {{dir}} in it is a new folder. "" is none.
	kubeconfig string
	// resolve finds services. The default is the server, for all of them.
	resolve func() (*url.URL, error)
	// unsynced leaves starting the informers to the check.
	unsynced bool
	// connections has limits for what the plugin connects to.
	connections connections
}

// scene is a stage that has been set up.
type scene struct {
	*stage
	plugin  apiadmission.Interface
	server  *faultserver.Server
	kube    kubernetes.Interface
	factory *factory
	dir     string
	stop    chan struct{}
	// under are requests that have not returned.
	under sync.WaitGroup
	// release is called before the requests under way are waited for.
	release []func()
}

// play sets the stage up for a side, has the check run on it, and clears it.
func play(ctx context.Context, side Side, st *stage, check func(*scene) error) error {
	server, err := faultserver.Listen(st.script)
	if err != nil {
		return err
	}
	s := &scene{stage: st, server: server, stop: make(chan struct{})}
	if err = s.open(ctx, side); err == nil {
		err = check(s)
	}
	return errors.Join(err, s.close())
}

func (s *scene) open(ctx context.Context, side Side) error {
	config, err := s.credentials()
	if err != nil {
		return err
	}
	first, err := configuration(s.phase, configurationName, 0, s.reachable(s.webhooks))
	if err != nil {
		return err
	}
	kube := fake.NewSimpleClientset(
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, first)
	s.kube, s.factory = kube, newFactory(kube)
	registry := apiadmission.NewPlugins()
	side.Register(registry)
	name := plugin.ValidatingName
	if s.phase == admission.Mutating {
		name = plugin.MutatingName
	}
	s.plugin, err = registry.InitPlugin(name, config, apiadmission.PluginInitializers{
		initializer.New(s.kube, nil, s.factory, nil, utilfeature.DefaultFeatureGate, nil, s.stop, nil), s,
	})
	if err != nil || s.unsynced {
		return err
	}
	s.factory.Start(s.stop)
	return s.factory.wait(ctx)
}

// configurationName is the name of the configuration that a stage has.
const configurationName = "promised"

// reachable returns the webhooks with the server's address and certificate.
func (s *scene) reachable(webhooks []webhook) []webhook {
	addresses := []string{"{{address}}", s.server.Address()}
	if other := s.server.Other(); other != nil {
		addresses = append(addresses, "{{other}}", other.Address())
	}
	list := make([]webhook, len(webhooks))
	for i := range webhooks {
		webhooks[i].DeepCopyInto(&list[i])
		client := &list[i].ClientConfig
		client.CABundle = append(s.server.CABundle(), client.CABundle...)
		if client.URL != nil {
			*client.URL = strings.NewReplacer(addresses...).Replace(*client.URL)
		}
	}
	return list
}

// configure replaces the webhooks, and returns when they were delivered to the
// plugin.
func (s *scene) configure(ctx context.Context, revision int64, webhooks ...webhook) error {
	if err := s.write(ctx, revision, webhooks...); err != nil {
		return err
	}
	return s.factory.heard(ctx, revision)
}

// write replaces the webhooks, and does not wait.
func (s *scene) write(ctx context.Context, revision int64, webhooks ...webhook) error {
	next, err := configuration(s.phase, configurationName, revision, s.reachable(webhooks))
	if err != nil {
		return err
	}
	registrations := s.kube.AdmissionregistrationV1()
	switch next := next.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		_, err = registrations.MutatingWebhookConfigurations().Update(ctx, next, metav1.UpdateOptions{})
	case *registrationv1.ValidatingWebhookConfiguration:
		_, err = registrations.ValidatingWebhookConfigurations().Update(ctx, next, metav1.UpdateOptions{})
	}
	return err
}

// close cancels the requests under way, and waits for them up to a bound.
func (s *scene) close() error {
	for _, release := range s.release {
		release()
	}
	err := errors.Join(s.server.Close(), s.awaitRequests())
	close(s.stop)
	if s.factory != nil {
		s.factory.Shutdown()
	}
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	return err
}

// awaitRequests waits for those that were given up.
func (s *scene) awaitRequests() error {
	over := make(chan struct{})
	go func() { s.under.Wait(); close(over) }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-over:
		return nil
	case <-timer.C:
		return errors.New("a request goes on although its webhook is gone")
	}
}

// credentials writes the kubeconfig, and returns the plugin's configuration
// file.
func (s *scene) credentials() (io.Reader, error) {
	if s.kubeconfig == "" {
		return nil, nil
	}
	var err error
	if s.dir, err = os.MkdirTemp("", "promise-"); err != nil {
		return nil, err
	}
	file := filepath.Join(s.dir, "kubeconfig")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(s.kubeconfig, "{{dir}}", s.dir)),
		0o600); err != nil {
		return nil, err
	}
	return strings.NewReader(fmt.Sprintf(
		`{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration","kubeConfigFile":%q}`, file)), nil
}
