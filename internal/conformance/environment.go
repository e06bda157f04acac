package conformance

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/conformance/lifecycle"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/sample"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// environment holds what a run needs.
type environment struct {
	config  probe.Config
	cluster *session.Cluster
	server  *server
	// launcher starts the command of the Subject; nil without one.
	launcher *lifecycle.Launcher
	// insecure connects without verifying certificates.
	insecure *client.Client
}

// prepare loads what the Subject names. The caller closes the environment.
func prepare(ctx context.Context, s Subject) (*environment, error) {
	cluster, err := session.Read(s.options())
	if err != nil {
		return nil, err
	}
	t := &environment{cluster: cluster}
	if err := t.start(ctx, &s, cluster); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (s *Subject) options() *session.Options {
	o := session.NewOptions()
	o.Configs, o.Objects, o.Optional = s.Files, s.Samples, true
	o.Recursive = s.Recursive
	o.Configurations = s.Configurations
	if s.URL != "" {
		o.Configurations = []runtime.Object{s.catchAll()}
	}
	// A command is on this machine, and no proxy is on the way to it.
	o.Resolve, o.Anywhere, o.CAFile = s.Resolve, !s.LocalOnly && s.Exec == nil, s.CAFile
	o.Stdin = s.Stdin
	o.Stderr = s.log()
	return o
}

// start makes the samples and the clients. If it fails, the caller still calls
// close.
func (t *environment) start(ctx context.Context, s *Subject, c *session.Cluster) error {
	t.config = probe.Config{
		Configurations: c.Configurations,
		Objects:        c.Kinds.ObjectInterfaces(),
		Definitions:    c.Definitions,
		Authorizer:     c.Authorizer,
		Dial:           c.Dialer.Dial,
		OwnServer:      s.Handler != nil,
		Calls:          s.calls(),
		Observe:        s.Observe,
	}
	made := sample.Make(ctx, sample.Config{
		Configurations: c.Configurations, Definitions: c.Definitions, Kinds: c.Kinds,
		Given: slices.Concat(c.Requests, s.Requests), Namespaces: c.Namespaces,
	})
	if ctx.Err() != nil {
		return interrupted(context.Cause(ctx))
	}
	for _, err := range made.Skipped {
		message.Notice(s.log(), "no sample: %v", err)
	}
	t.config.Samples = probe.Samples(made.Requests)
	var err error
	if t.config.Namespaces, err = source.FixedNamespaces(made.Namespaces...); err != nil {
		return fmt.Errorf("loading the namespaces: %w", err)
	}
	if s.Exec != nil {
		if err := t.launch(ctx, s.Exec); err != nil {
			return err
		}
	}
	if s.Handler != nil {
		if t.server, err = serve(s.Handler, s.log()); err != nil {
			return err
		}
		t.config.Dial = t.server.dial
	}
	if t.insecure, err = client.New(
		client.Config{AuthInfo: noCredentials{}, Dial: t.config.Dial, Proxy: c.Dialer.Proxy},
	); err != nil {
		return fmt.Errorf("preparing to call webhooks: %w", err)
	}
	t.config.InsecureClient = unverifiedClient{t.insecure}
	return nil
}

func (t *environment) close() {
	if t.insecure != nil {
		t.insecure.Close()
	}
	t.server.close()
	t.launcher.Close()
}

// launch starts the command that serves all webhooks, and has them called there.
func (t *environment) launch(ctx context.Context, e *lifecycle.Exec) error {
	var names []string
	for _, w := range webhookconfig.Webhooks(t.config.Configurations) {
		if _, name, err := webhookconfig.Address(w); err == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if e.Starting != nil {
		e.Starting()
	}
	var err error
	if t.launcher, err = lifecycle.Launch(ctx, *e, slices.Compact(names)); err != nil {
		return &message.InputError{Err: err}
	}
	t.config.Dial = t.launcher.Dial
	var adjusted []runtime.Object
	for _, c := range t.config.Configurations {
		c = c.DeepCopyObject()
		webhookconfig.Adjust(c, func(_ string, cc *registrationv1.WebhookClientConfig) {
			cc.CABundle = t.launcher.CABundle()
		})
		adjusted = append(adjusted, c)
	}
	t.config.Configurations = adjusted
	return nil
}

// catchAll returns the configuration of a webhook that has none: it matches
// everything.
func (s *Subject) catchAll() runtime.Object {
	const name = "webhook.conformance.gatehouse"
	all := []string{"*"}
	rules := []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{registrationv1.OperationAll},
		Rule:       registrationv1.Rule{APIGroups: all, APIVersions: all, Resources: []string{"*/*"}},
	}}
	clientConfig := registrationv1.WebhookClientConfig{URL: &s.URL}
	meta := metav1.ObjectMeta{Name: "url"}
	sideEffects := registrationv1.SideEffectClassNoneOnDryRun
	versions := []string{"v1"}
	if cmp.Or(s.Phase, admission.Mutating) == admission.Validating {
		return &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta,
			Webhooks: []registrationv1.ValidatingWebhook{
				{
					Name:                    name,
					ClientConfig:            clientConfig,
					Rules:                   rules,
					SideEffects:             &sideEffects,
					AdmissionReviewVersions: versions,
				},
			}}
	}
	return &registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta,
		Webhooks: []registrationv1.MutatingWebhook{
			{
				Name:                    name,
				ClientConfig:            clientConfig,
				Rules:                   rules,
				SideEffects:             &sideEffects,
				AdmissionReviewVersions: versions,
			},
		}}
}
