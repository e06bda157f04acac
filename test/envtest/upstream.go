package envtest

import "sigs.k8s.io/controller-runtime/pkg/envtest"

// StartTimeout and StopTimeout have the values of controller-runtime, which does
// not use them either.
const (
	StartTimeout = envtest.StartTimeout
	StopTimeout  = envtest.StopTimeout
)

// The types of controller-runtime.
type (
	// CRDInstallOptions say which CustomResourceDefinitions to install.
	CRDInstallOptions = envtest.CRDInstallOptions
	// WebhookInstallOptions say which webhook configurations to install, and
	// where the webhooks are served.
	WebhookInstallOptions = envtest.WebhookInstallOptions

	// ControlPlane is what Environment.ControlPlane holds. Its deprecated
	// methods KubeCtl and RESTClientConfig return nil.
	ControlPlane = envtest.ControlPlane
	// APIServer describes the server. After Start its SecureServing, SecurePort
	// and CertDir have values; Environment.Start says which flags it reads.
	APIServer = envtest.APIServer
	// Etcd is accepted and not read: the database is part of the server.
	Etcd = envtest.Etcd
	// ListenAddr is an address and a port.
	ListenAddr = envtest.ListenAddr
	// SecureServing is where the server listens, and its CA.
	SecureServing = envtest.SecureServing
	// Authn creates users. Start sets it to one that issues client certificates,
	// and refuses another.
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
	// setup-envtest keeps programs. Start does not look there.
	SetupEnvtestDefaultBinaryAssetsDirectory = envtest.SetupEnvtestDefaultBinaryAssetsDirectory
	// DefaultBinaryAssetsIndexURL is not read: nothing is downloaded.
	DefaultBinaryAssetsIndexURL = envtest.DefaultBinaryAssetsIndexURL
	// DefaultKubeAPIServerFlags are flags for APIServer.Args. Those that Start
	// does not know are ignored.
	//
	//lint:ignore SA1019 Suites may still use it.
	DefaultKubeAPIServerFlags = envtest.DefaultKubeAPIServerFlags
)
