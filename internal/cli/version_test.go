package cli

import (
	"runtime/debug"
	"testing"
)

func TestCommit(t *testing.T) {
	t.Parallel()
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for want, info := range map[string]*debug.BuildInfo{
		"":               {},
		" (commit 1a2b)": {Settings: []debug.BuildSetting{setting("vcs.revision", "1a2b"), setting("vcs.modified", "false")}},
		" (commit 1a2b, modified)": {Settings: []debug.BuildSetting{
			setting("vcs.modified", "true"), setting("vcs.revision", "1a2b"),
		}},
	} {
		if got := commit(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := commit(nil); got != "" {
		t.Errorf("without information: %q", got)
	}
}
