package static

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

// Joined is a dispatcher.StaticSource of folders and an API. Make one with Join.
type Merged struct {
	api     dispatcher.Source
	folders []*Folder

	// latest is what was put together last, nil at first.
	latest atomic.Pointer[mergedSnapshot]
	// joining is held while something is put together.
	mu sync.Mutex
}

// union is a snapshot and what it was put together from.
type mergedSnapshot struct {
	parts []*matching.Snapshot
	all   *matching.Snapshot
	// static is all of it but the API's part.
	static *matching.Snapshot
}

var _ dispatcher.StaticSource = (*Merged)(nil)

// Join returns a source of the webhooks of all folders, in the order of the folders,
// and after them those of an API (S-051). Neither is closed by it.
func Merge(api dispatcher.Source, folders ...*Folder) *Merged {
	return &Merged{api: api, folders: slices.Clone(folders)}
}

// Current returns all webhooks, or the API's error while its own are not known. It
// is the same snapshot until one of the parts is another.
func (j *Merged) Current(ctx context.Context) (*matching.Snapshot, error) {
	api, err := j.api.Current(ctx)
	if err != nil || api == nil {
		return nil, err
	}
	return j.merge(append(j.parts(), api)).all, nil
}

// Static returns the webhooks of the folders alone, which are known whether or not
// those of the API are.
func (j *Merged) Static(context.Context) (*matching.Snapshot, error) {
	parts := j.parts()
	if len(parts) == 1 {
		return parts[0], nil
	}
	if u := j.latest.Load(); u != nil && slices.Equal(u.parts[:len(parts)], parts) {
		return u.static, nil
	}
	return concatenate(parts), nil
}

// parts returns the snapshots of the folders.
func (j *Merged) parts() []*matching.Snapshot {
	parts := make([]*matching.Snapshot, len(j.folders), len(j.folders)+1)
	for i, f := range j.folders {
		parts[i] = f.current.Load()
	}
	return parts
}

// join returns what parts make, which is put together only if it is not the same
// as last time.
func (j *Merged) merge(parts []*matching.Snapshot) *mergedSnapshot {
	if u := j.latest.Load(); u.madeOf(parts) {
		return u
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if u := j.latest.Load(); u.madeOf(parts) {
		return u
	}
	u := &mergedSnapshot{parts: parts, all: concatenate(parts), static: concatenate(parts[:len(parts)-1])}
	j.latest.Store(u)
	return u
}

func (u *mergedSnapshot) madeOf(parts []*matching.Snapshot) bool {
	return u != nil && slices.Equal(u.parts, parts)
}

// concatenate returns the webhooks of snapshots, one after the other. It costs
// little if all but the last have few.
func concatenate(snapshots []*matching.Snapshot) *matching.Snapshot {
	if len(snapshots) == 0 {
		return matching.NewSnapshot(nil, nil)
	}
	last := len(snapshots) - 1
	all := snapshots[last]
	for _, s := range slices.Backward(snapshots[:last]) {
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			if webhooks := s.Webhooks(phase); len(webhooks) > 0 {
				all = all.Replace(phase, 0, 0, webhooks)
			}
		}
	}
	return all
}
