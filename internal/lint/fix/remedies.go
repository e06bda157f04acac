package fix

import (
	"maps"
	"slices"
)

// remedies are those of the rules, by their IDs.
var remedies = map[string]remedy{
	"blocks-own-pods": freesBackend,
	"deadlock":        freesAll,

	"blocks-system-pods":    excludesNamespace("kube-system"),
	"blocks-system-objects": excludesNamespace("kube-system"),
	"delays-system":         excludesNamespace("kube-system"),
	"blocks-node-leases":    excludesNamespace("kube-node-lease"),

	"blocks-leader-election": excludesResources,
	"blocks-nodes":           excludesResources,
	"blocks-scheduling":      excludesResources,
	"blocks-pod-status":      excludesResources,
	"blocks-pod-tokens":      excludesResources,
	"blocks-workload-status": excludesResources,
	"receives-events":        excludesResources,
	"delays-leases":          keepsLeases,
	"mutates-mirror-pods":    excludesMirrorPods,

	"blocks-endpoints":          excludesUsers,
	"blocks-kubernetes-service": excludesUsers,
	"blocks-namespace-deletion": excludesUsers,
	"blocks-priority":           excludesUsers,
	"blocks-rbac":               excludesUsers,
	"blocks-storage":            excludesUsers,
	"blocks-system-namespaces":  excludesUsers,

	"blocks-pod-deletion": excludesDeletions,

	"timeout-long":         lowersTimeout(5),
	"timeout-long-ignored": lowersTimeout(5),
	"serial-timeouts":      lowersSum,

	"ca-partial":                    copiesCA,
	"configuration-version-removed": migrates,
	"never-called":                  corrects,
	"one-replica":                   addsReplica,
	"service-port-missing":          setsPort,
	"stops-all-pods":                keepsPods,
	"update-stops-pods":             keepsPods,
}

// HasRemedy reports whether findings of a rule may have a remedy.
func HasRemedy(rule string) bool { return remedies[rule] != nil }

// Rules returns the IDs of the rules with a remedy, sorted.
func Rules() []string { return slices.Sorted(maps.Keys(remedies)) }
