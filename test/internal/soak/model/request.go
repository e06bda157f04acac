package model

import (
	"maps"
	"slices"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/test/internal/soak/request"
)

// The resources of requests: one with a Go type, one without, and one that is
// connected to.
const (
	Pods    = "pods"
	Widgets = "widgets"
	PodExec = "pods/exec"
)

// The labels of objects: the fault of a webhook, what matchConditions read, and
// what an objectSelector reads.
const (
	prefix         = "soak.example.com/"
	FaultLabel     = prefix + "fault"
	conditionLabel = prefix + "condition"
	teamLabel      = prefix + "team"
)

// Request is a request. All about it follows from its number.
type Request struct {
	Number    int64
	Resource  string
	Operation apiadmission.Operation
	Namespace string
	// Version is that of the object.
	Version string
	DryRun  bool
	// Fault is the fault of a webhook in both phases; empty for most requests.
	Fault string
	// Condition is the value of the label that matchConditions read, which
	// fail if it is empty.
	Condition string
	// Team and OldTeam are the teams of the object and of the old one; empty if
	// there is none.
	Team, OldTeam string
}

// One request in everyFault selects a fault; of these one in everyHeavy selects
// one that costs work, and one in everySlow one that costs time.
const (
	everyFault = 10
	everyHeavy = 80
	everySlow  = 80
)

var quickNames, heavyNames, slowNames = names(quick), names(heavy), names(slow)

func names(of map[string]ending) []string { return slices.Sorted(maps.Keys(of)) }

// Faults returns the faults that requests ask for.
func Faults() []string { return slices.Concat(quickNames, heavyNames, slowNames) }

// draws are small numbers that follow from a large one.
type draws uint64

// drawsOf mixes a number, so that nothing goes in step with it.
func drawsOf(n int64) draws {
	h := uint64(n) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return draws(h ^ h>>32)
}

// below returns the next number below n.
func (d *draws) below(n int) int {
	drawn := int(uint64(*d) % uint64(n))
	*d /= draws(n)
	return drawn
}

// RequestAt returns the n-th request.
func RequestAt(n int64) Request {
	d := drawsOf(n)
	r := Request{
		Number:    n,
		Resource:  []string{Pods, Widgets}[d.below(2)],
		Namespace: Namespaces()[d.below(len(Namespaces()))],
		Operation: apiadmission.Create, Version: "v1", Fault: faultAt(n),
		Condition: "true",
	}
	switch of := d.below(16); {
	case of < 4:
		r.Operation = apiadmission.Update
	case of < 6:
		r.Operation = apiadmission.Delete
	case of == 6 && r.Fault == "":
		return Request{Number: n, Resource: PodExec, Namespace: r.Namespace,
			Operation: apiadmission.Connect, Version: "v1"}
	}
	if r.Resource == Widgets && d.below(4) == 0 {
		r.Version = request.WidgetV2
	}
	r.DryRun = d.below(8) == 0
	switch of := d.below(16); {
	case of == 0:
		r.Condition = ""
	case of < 8:
		r.Condition = "false"
	}
	teams := []string{"red", "blue", ""}
	if r.Operation != apiadmission.Delete {
		r.Team = teams[d.below(len(teams))]
	}
	if r.Operation != apiadmission.Create {
		r.OldTeam = teams[d.below(len(teams))]
	}
	return r
}

// faultAt returns the fault that the n-th request selects.
func faultAt(n int64) string {
	if n%everyFault != 0 {
		return ""
	}
	switch of := n / everyFault; {
	case of%everySlow == 0:
		return slowNames[of/everySlow%int64(len(slowNames))]
	case of%everyHeavy == 1:
		return heavyNames[of/everyHeavy%int64(len(heavyNames))]
	default:
		return quickNames[of%int64(len(quickNames))]
	}
}

// Make returns the request itself.
func (r Request) Make() (*request.Attributes, apiadmission.ObjectInterfaces) {
	details := request.Details{Operation: r.Operation, Namespace: r.Namespace, Version: r.Version,
		Labels: r.labels(), OldLabels: r.oldLabels(), DryRun: r.DryRun}
	switch r.Resource {
	case Pods:
		return request.PodOf(int(r.Number), details)
	case Widgets:
		return request.WidgetOf(int(r.Number), details)
	default:
		return request.Exec(int(r.Number), details)
	}
}

// labels are those of the object, and oldLabels those of the old one.
func (r Request) labels() map[string]string { return r.labelled(r.Team) }

func (r Request) oldLabels() map[string]string {
	l := r.labelled(r.OldTeam)
	l[request.NumberLabel] = oldNumber(r.Number)
	return l
}

func (r Request) labelled(team string) map[string]string {
	l := map[string]string{}
	for label, value := range map[string]string{
		FaultLabel: r.Fault, conditionLabel: r.Condition, teamLabel: team,
	} {
		if value != "" {
			l[label] = value
		}
	}
	return l
}
