package matching

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

// shape is the set of dimensions in which a key has "*".
type shape uint8

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
	hash  uint64
	shape shape
}

// seed is the same for keys of webhooks and of requests.
var seed = maphash.MakeSeed()

// hashed is the hash of a word in a dimension. The hashes of a key are added up.
func hashed(dimension int, word string) uint64 {
	return bits.RotateLeft64(maphash.String(seed, word), 7*dimension)
}

// wildcard is the hash of "*" in a dimension.
func wildcard(dimension int) uint64 {
	const anything = 0x9E3779B97F4A7C15
	return bits.RotateLeft64(anything, 7*dimension)
}

// maxKeys is how many keys a rule may have before it is widened.
const maxKeys = 128

// keys takes the rules apart.
func keys(rules []rule) []key {
	var all []key
	for i := range rules {
		all = append(all, rules[i].keys()...)
	}
	slices.SortFunc(all, func(a, b key) int { return cmp.Compare(a.hash, b.hash) })
	return slices.Compact(all)
}

// keys takes one rule apart.
func (r *rule) keys() []key {
	scope := words{string(r.scope)}
	if r.scope == registrationv1.AllScopes {
		scope = words{"*"}
	}
	operations, groups, versions := distinct(r.operations), distinct(r.groups), distinct(r.versions)
	// The resources tell webhooks apart best.
	if len(operations)*len(groups)*len(versions)*len(r.resources) > maxKeys {
		versions = words{"*"}
	}
	if len(operations)*len(groups)*len(r.resources) > maxKeys {
		operations, groups = words{"*"}, words{"*"}
	}
	all := []key{{}}
	all = cross(all, byScope, scope)
	all = cross(all, byOperation, operations)
	all = cross(all, byGroup, groups)
	all = cross(all, byVersion, versions)
	return r.crossResources(all)
}

// distinct returns every word once, or "*" alone if it is among them.
func distinct(list words) words {
	if slices.Contains(list, "*") {
		return words{"*"}
	}
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// cross returns every key with every word added.
func cross(all []key, dimension int, list words) []key {
	crossed := make([]key, 0, len(all)*len(list))
	for _, k := range all {
		for _, word := range list {
			crossed = append(crossed, k.with(dimension, word))
		}
	}
	return crossed
}

// crossResources does the same with resource and subresource.
func (r *rule) crossResources(all []key) []key {
	crossed := make([]key, 0, len(all)*len(r.resources))
	for _, k := range all {
		for _, one := range r.resources {
			crossed = append(crossed, k.with(byResource, one.name).with(bySubresource, one.subresource))
		}
	}
	return crossed
}

func (k key) with(dimension int, word string) key {
	if word == "*" {
		return key{k.hash + wildcard(dimension), k.shape | 1<<dimension}
	}
	return key{k.hash + hashed(dimension, word), k.shape}
}
