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

// Merged is a dispatcher.StaticSource of the webhooks of folders and of an API.
// Use Merge to create one.
type Merged struct {
	api     dispatcher.Source
	folders []*Folder

	// latest is the result of the last merge, nil before the first.
	latest atomic.Pointer[mergedSnapshot]
	// mu is held during a merge.
	mu sync.Mutex
}

// mergedSnapshot is a snapshot and the parts that it was merged from.
type mergedSnapshot struct {
	parts []*matching.Snapshot
	all   *matching.Snapshot
	// static holds all webhooks but the API's.
	static *matching.Snapshot
}

var _ dispatcher.StaticSource = (*Merged)(nil)

// Merge returns a source of the webhooks of all folders, in the order of the
// folders, followed by those of an API (S-051). The caller still has to close
// the folders and the API's source.
func Merge(api dispatcher.Source, folders ...*Folder) *Merged {
	return &Merged{api: api, folders: slices.Clone(folders)}
}

// Current returns all webhooks, or the error of the API's source. It returns
// the same snapshot until one of the parts changes.
func (j *Merged) Current(ctx context.Context) (*matching.Snapshot, error) {
	api, err := j.api.Current(ctx)
	if err != nil || api == nil {
		return nil, err
	}
	return j.merge(append(j.parts(), api)).all, nil
}

// Static returns the webhooks of the folders, even if those of the API are not
// known.
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

// merge returns the merged parts. It reuses the last result if the parts are
// the same.
func (j *Merged) merge(parts []*matching.Snapshot) *mergedSnapshot {
	if u := j.latest.Load(); u.madeOf(parts) {
		return u
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if u := j.latest.Load(); u.madeOf(parts) {
		return u
	}
	u := &mergedSnapshot{parts: parts, all: concatenate(parts),
		static: concatenate(parts[:len(parts)-1])}
	j.latest.Store(u)
	return u
}

func (u *mergedSnapshot) madeOf(parts []*matching.Snapshot) bool {
	return u != nil && slices.Equal(u.parts, parts)
}

// concatenate returns the webhooks of snapshots, one after the other. If only
// the last has webhooks, it is the result.
func concatenate(snapshots []*matching.Snapshot) *matching.Snapshot {
	if len(snapshots) == 0 {
		return matching.NewSnapshot(nil, nil)
	}
	last := len(snapshots) - 1
	all := snapshots[last]
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		var webhooks []*matching.Webhook
		for _, s := range snapshots[:last] {
			webhooks = append(webhooks, s.Webhooks(phase)...)
		}
		if len(webhooks) > 0 {
			all = all.With(phase, append(webhooks, all.Webhooks(phase)...))
		}
	}
	return all
}
