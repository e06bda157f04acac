package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/gatehouse/dispatcher/corpus"
)

// TestReplayShards: the merged results of 1, 2, 7 and 64 shards are the same bytes, also
// if a shard was killed half way. Each line that is not readable is named by one shard.
func TestReplayShards(t *testing.T) {
	t.Parallel()
	c := newRecordedCluster(t, 120)
	broken := c.breakLines(t)
	c.replay(t, 0, "1", "--broken=skip")
	want, wantSummary := c.merged(t, "1")
	if strings.Count(want, "\n") != 120-len(broken) || !strings.Contains(wantSummary, `"broken": 4`) {
		t.Fatalf("the results are not those of the corpus:\n%s", wantSummary)
	}
	for _, count := range []int{2, 7, 64} {
		name, said := strconv.Itoa(count), ""
		for i := range count {
			shard := strconv.Itoa(i) + "/" + name
			_, notices := c.replay(t, 0, name, "--broken=skip", "--shard", shard)
			said += notices
		}
		c.cut(t, name)
		c.replay(t, 0, name, "--broken=skip", "--shard", "1/"+name)
		if got, summary := c.merged(t, name); got != want || summary != wantSummary {
			t.Errorf("%d shards have other results than one: %s", count, summary)
		}
		for _, position := range broken {
			if strings.Count(said, position) != 1 {
				t.Errorf("%d shards do not name %s once:\n%s", count, position, said)
			}
		}
	}
}

// breakLines breaks some lines of the corpus, and returns their positions.
func (c *recordedCluster) breakLines(t *testing.T) (positions []string) {
	t.Helper()
	files, err := corpus.Files(c.corpus)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for _, line := range []struct {
		number   int
		old, new string
	}{{10, `"review":{`, `"review":[{`}, {11, `"id":`, `"ID":`}, {50, "{", ""}, {119, "/v1alpha1", "/v2"}} {
		text := &lines[line.number-1]
		*text = bytes.Replace(*text, []byte(line.old), []byte(line.new), 1)
		positions = append(positions, fmt.Sprintf("%s:%d: ", files[0], line.number))
	}
	if err := os.WriteFile(files[0], bytes.Join(lines, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return positions
}

// cut cuts the results of the second shard in the middle of a line, as a kill does.
func (c *recordedCluster) cut(t *testing.T, count string) {
	t.Helper()
	file := filepath.Join(c.path(count), "results-1-of-"+count+".jsonl")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, text[:len(text)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
