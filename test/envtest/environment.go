package envtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"example.com/gatehouse/internal/apiserver"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
)

// The environment variables of controller-runtime that Start reads.
const (
	existingClusterVariable = "USE_EXISTING_CLUSTER"
	startTimeoutVariable    = "KUBEBUILDER_CONTROLPLANE_START_TIMEOUT"
	attachOutputVariable    = "KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT"
)

// defaultStartTimeout is controller-runtime's.
const defaultStartTimeout = 20 * time.Second

// Environment is an API server for a suite, with the suite's definitions and
// webhook configurations. The zero value is a server without these. The fields
// are those of controller-runtime's Environment.
type Environment struct {
	// ControlPlane has the address and the flags of the server. Start sets its
	// empty fields. The default address is a free port on 127.0.0.1.
	ControlPlane ControlPlane

	// Scheme determines the kinds that have conversion webhooks: those that
	// implement Hub and Convertible. The default is client-go's scheme.Scheme.
	Scheme *runtime.Scheme

	// Config is the administrator's client. Start sets it, unless an existing
	// cluster is used and the field has a value.
	Config *rest.Config

	// KubeConfig is the administrator's kubeconfig. Start sets it if it is
	// empty.
	KubeConfig []byte

	// CRDInstallOptions name the CustomResourceDefinitions that Start installs.
	CRDInstallOptions CRDInstallOptions

	// WebhookInstallOptions name the webhook configurations that Start
	// installs. Start sets the address at which the suite must serve the
	// webhooks.
	WebhookInstallOptions WebhookInstallOptions

	// ErrorIfCRDPathMissing makes Start fail if a path of definitions does not
	// exist. It replaces the field of CRDInstallOptions. The default is false.
	ErrorIfCRDPathMissing bool

	// CRDs are further definitions to install. After Start they are all
	// installed definitions.
	CRDs []*apiextensionsv1.CustomResourceDefinition

	// CRDDirectoryPaths are added to CRDInstallOptions.Paths.
	CRDDirectoryPaths []string

	// DownloadBinaryAssets, DownloadBinaryAssetsVersion and
	// DownloadBinaryAssetsIndexURL have no effect: there is nothing to download.
	DownloadBinaryAssets         bool
	DownloadBinaryAssetsVersion  string
	DownloadBinaryAssetsIndexURL string

	// BinaryAssetsDirectory is a folder with kubectl, for
	// AuthenticatedUser.Kubectl. The default is the PATH.
	BinaryAssetsDirectory string

	// UseExistingCluster makes Start use the cluster of Config, or else of the
	// current kubeconfig, and start no server. The default is true if the
	// environment variable USE_EXISTING_CLUSTER is "true".
	UseExistingCluster *bool

	// ControlPlaneStartTimeout bounds the start of the server. The default is
	// the environment variable KUBEBUILDER_CONTROLPLANE_START_TIMEOUT, or 20 s.
	ControlPlaneStartTimeout time.Duration

	// ControlPlaneStopTimeout has no effect: the server stops within about a
	// second.
	ControlPlaneStopTimeout time.Duration

	// AttachControlPlaneOutput shows the log of the server on standard error.
	// This log is the klog of the process. If the field is false, Start limits
	// klog to errors, unless the suite has set a logger. The default is true if
	// the environment variable KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT is
	// "true".
	AttachControlPlaneOutput bool
}

// Start starts a server and installs definitions and webhook configurations.
// When they are in force, it returns the configuration of a client of the group
// system:masters. It fails if the server does not start in time, a file is
// invalid, or the server rejects an object.
//
// The server supports the flags admission-control-config-file,
// audit-policy-file and audit-log-path of ControlPlane.APIServer. Start logs
// and ignores all others.
func (te *Environment) Start() (*rest.Config, error) {
	if te.useExistingCluster() {
		err := te.install()
		return te.Config, err
	}
	ctx := context.Background()
	if err := te.startServer(ctx); err != nil {
		return nil, fmt.Errorf("unable to start control plane itself: %w", err)
	}
	if err := te.install(); err != nil {
		return nil, err
	}
	return te.Config, te.waitInForce(ctx)
}

// Stop stops the server and removes the certificates of the webhooks. If
// CRDInstallOptions.CleanUpAfterUse is set, it uninstalls the definitions
// first.
func (te *Environment) Stop() error {
	if te.CRDInstallOptions.CleanUpAfterUse {
		if err := UninstallCRDs(te.Config, te.CRDInstallOptions); err != nil {
			return err
		}
	}
	err := te.WebhookInstallOptions.Cleanup()
	if te.useExistingCluster() {
		return err
	}
	return errors.Join(err, te.ControlPlane.Stop())
}

// AddUser returns a user of the server with a client certificate, and clients
// with the settings of baseConfig, which may be nil. It fails before Start, and
// if Start uses an existing cluster.
func (te *Environment) AddUser(user User, baseConfig *rest.Config) (*AuthenticatedUser, error) {
	return te.ControlPlane.AddUser(user, baseConfig)
}

func (te *Environment) useExistingCluster() bool {
	if te.UseExistingCluster == nil {
		return strings.EqualFold(os.Getenv(existingClusterVariable), "true")
	}
	return *te.UseExistingCluster
}

// startServer starts a server and sets Config and KubeConfig.
func (te *Environment) startServer(ctx context.Context) error {
	timeout, err := te.startTimeout()
	if err != nil {
		return err
	}
	if os.Getenv(attachOutputVariable) == "true" {
		te.AttachControlPlaneOutput = true
	}
	if !te.AttachControlPlaneOutput {
		hideLog()
	}
	config, err := serverConfig(te.ControlPlane.GetAPIServer())
	if err != nil {
		return err
	}
	// The host is one that the user has chosen for the webhooks.
	remote := te.WebhookInstallOptions.LocalServingHostExternalName != ""
	config.Webhooks = serviceresolver.Config{Anywhere: remote}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	server, err := apiserver.Start(ctx, config)
	if err != nil {
		return err
	}
	if err := te.describe(server); err != nil {
		return errors.Join(err, server.Stop())
	}
	admin, err := te.AddUser(
		User{Name: "admin", Groups: []string{"system:masters"}}, &rest.Config{QPS: 1000, Burst: 2000})
	if err != nil {
		return err
	}
	te.Config = admin.Config()
	if len(te.KubeConfig) == 0 {
		te.KubeConfig, err = admin.KubeConfig()
	}
	return err
}

func (te *Environment) startTimeout() (time.Duration, error) {
	text := os.Getenv(startTimeoutVariable)
	if te.ControlPlaneStartTimeout != 0 || text == "" {
		return cmp.Or(te.ControlPlaneStartTimeout, defaultStartTimeout), nil
	}
	timeout, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", startTimeoutVariable, err)
	}
	return timeout, nil
}

// install makes controller-runtime install definitions and webhook
// configurations, and takes over what it has found out.
func (te *Environment) install() error {
	existing := true
	installer := envtest.Environment{
		UseExistingCluster:    &existing,
		Config:                te.Config,
		KubeConfig:            te.KubeConfig,
		Scheme:                te.Scheme,
		CRDInstallOptions:     te.CRDInstallOptions,
		WebhookInstallOptions: te.WebhookInstallOptions,
		ErrorIfCRDPathMissing: te.ErrorIfCRDPathMissing,
		CRDs:                  te.CRDs,
		CRDDirectoryPaths:     te.CRDDirectoryPaths,
	}
	_, err := installer.Start()
	te.Config, te.KubeConfig, te.Scheme = installer.Config, installer.KubeConfig, installer.Scheme
	te.CRDs = installer.CRDs
	te.CRDInstallOptions = installer.CRDInstallOptions
	te.WebhookInstallOptions = installer.WebhookInstallOptions
	return err
}
