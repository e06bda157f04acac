package envtest

import "sigs.k8s.io/controller-runtime/pkg/envtest"

// StartTimeout and StopTimeout have the values of controller-runtime. Neither
// package uses them.
const (
	StartTimeout = envtest.StartTimeout
	StopTimeout  = envtest.StopTimeout
)

// The types of controller-runtime.
type (
	// CRDInstallOptions name the CustomResourceDefinitions to install.
	CRDInstallOptions = envtest.CRDInstallOptions
	// WebhookInstallOptions name the webhook configurations to install, and the
	// address of the webhooks.
	WebhookInstallOptions = envtest.WebhookInstallOptions

	// ControlPlane is the type of Environment.ControlPlane. Its deprecated
	// methods KubeCtl and RESTClientConfig return nil.
	ControlPlane = envtest.ControlPlane
	// APIServer describes the server. After Start its SecureServing, SecurePort
	// and CertDir have values; Environment.Start documents the supported flags.
	APIServer = envtest.APIServer
	// Etcd has no effect: the database is part of the server.
	Etcd = envtest.Etcd
	// ListenAddr is an address and a port.
	ListenAddr = envtest.ListenAddr
	// SecureServing is the address of the server, and its CA.
	SecureServing = envtest.SecureServing
	// Authn creates users. Start sets it to an Authn that issues client
	// certificates, and fails if the suite has set another.
	Authn = envtest.Authn
	// Arguments are flags of a program.
	Arguments = envtest.Arguments
	// Arg is a flag with its values.
	Arg = envtest.Arg

	// User is a name with groups.
	User = envtest.User
	// AuthenticatedUser is a user who can connect to the server.
	AuthenticatedUser = envtest.AuthenticatedUser
)

// The functions of controller-runtime. They work with any API server.
var (
	InstallCRDs     = envtest.InstallCRDs
	UninstallCRDs   = envtest.UninstallCRDs
	CreateCRDs      = envtest.CreateCRDs
	ReadCRDFiles    = envtest.ReadCRDFiles
	WaitForCRDs     = envtest.WaitForCRDs
	WaitForWebhooks = envtest.WaitForWebhooks
	EmptyArguments  = envtest.EmptyArguments

	// SetupEnvtestDefaultBinaryAssetsDirectory returns the folder in which
	// setup-envtest keeps programs. Start does not use it.
	SetupEnvtestDefaultBinaryAssetsDirectory = envtest.SetupEnvtestDefaultBinaryAssetsDirectory
	// DefaultBinaryAssetsIndexURL has no effect: the package downloads nothing.
	DefaultBinaryAssetsIndexURL = envtest.DefaultBinaryAssetsIndexURL
	// DefaultKubeAPIServerFlags are flags for APIServer.Args. Start ignores
	// unknown flags.
	//
	//lint:ignore SA1019 Suites may still use it.
	DefaultKubeAPIServerFlags = envtest.DefaultKubeAPIServerFlags
)
