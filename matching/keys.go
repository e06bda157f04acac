package matching

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// wildcardMask is the set of dimensions in which a key has "*".
type wildcardMask uint8

// The dimensions of a rule.
const (
	byOperation = iota
	byGroup
	byVersion
	byResource
	bySubresource
	byScope
	dimensions
)

// key is one element of a rule.
type key struct {
	hash      uint64
	wildcards wildcardMask
}

// seed is shared by the keys of webhooks and of requests.
var seed = maphash.MakeSeed()

// hashOf returns the hash of a name in a dimension. A key's hash is the sum
// over all dimensions.
func hashOf(dimension int, name string) uint64 {
	return bits.RotateLeft64(maphash.String(seed, name), 7*dimension)
}

// wildcardHash returns the hash of "*" in a dimension.
func wildcardHash(dimension int) uint64 {
	const anything = 0x9E3779B97F4A7C15
	return bits.RotateLeft64(anything, 7*dimension)
}

// maxKeys is the largest number of keys of a rule. keys replaces lists of a
// rule with more by "*".
const maxKeys = 128

// keys returns the keys of all rules, sorted and without duplicates.
func keys(rules []rule) []key {
	var all []key
	for i := range rules {
		all = append(all, rules[i].keys()...)
	}
	slices.SortFunc(all, func(a, b key) int { return cmp.Compare(a.hash, b.hash) })
	return slices.Compact(all)
}

// keys returns the keys of a rule.
func (r *rule) keys() []key {
	scope := wildcardList{string(r.scope)}
	if r.scope == registrationv1.AllScopes {
		scope = wildcardList{"*"}
	}
	operations, groups, versions := distinct(r.operations), distinct(r.groups), distinct(r.versions)
	// Resources select best, so they stay.
	if len(operations)*len(groups)*len(versions)*len(r.resources) > maxKeys {
		versions = wildcardList{"*"}
	}
	if len(operations)*len(groups)*len(r.resources) > maxKeys {
		operations, groups = wildcardList{"*"}, wildcardList{"*"}
	}
	all := []key{{}}
	all = cross(all, byScope, scope)
	all = cross(all, byOperation, operations)
	all = cross(all, byGroup, groups)
	all = cross(all, byVersion, versions)
	return r.crossResources(all)
}

// distinct returns the list without duplicates, or "*" alone if the list has
// it.
func distinct(list wildcardList) wildcardList {
	if slices.Contains(list, "*") {
		return wildcardList{"*"}
	}
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// cross combines every key with every name.
func cross(all []key, dimension int, names wildcardList) []key {
	crossed := make([]key, 0, len(all)*len(names))
	for _, k := range all {
		for _, name := range names {
			crossed = append(crossed, k.with(dimension, name))
		}
	}
	return crossed
}

// crossResources combines every key with every pair of resource and
// subresource.
func (r *rule) crossResources(all []key) []key {
	crossed := make([]key, 0, len(all)*len(r.resources))
	for _, k := range all {
		for _, own := range r.resources {
			crossed = append(crossed, k.with(byResource, own.name).with(bySubresource, own.subresource))
		}
	}
	return crossed
}

// with returns the key with a name in a dimension that it does not have yet.
func (k key) with(dimension int, name string) key {
	if name == "*" {
		return key{k.hash + wildcardHash(dimension), k.wildcards | 1<<dimension}
	}
	return key{k.hash + hashOf(dimension, name), k.wildcards}
}
