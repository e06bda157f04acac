package peers

// ways are how the specs reach a server.
var ways = []string{serve, imported}

const (
	serve    = "serve"   // `gatehouse serve` is the existing cluster
	imported = "envtest" // the specs import test/envtest
)

// packages are those of controller-runtime whose specs are run, below pkg.
var packages = []string{
	"builder",
	"cache",
	"client",
	"cluster",
	"controller",
	"controller/controllerutil",
	"envtest",
	"handler",
	"internal/controller",
	"internal/recorder",
	"manager",
	"manager/internal/integration",
	"metrics/filters",
	"reconcile",
	"source",
	"webhook",
	"webhook/admission",
	"webhook/authentication",
	"webhook/conversion",
}
