package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// result returns the i-th result of a corpus. The order of the IDs is another one.
func result(i int) *replay.Result {
	r := &replay.Result{
		ID: fmt.Sprintf("%02d", i*37%100), Request: "CREATE pods/a<b by alice", Allowed: i%3 > 0,
		Object: json.RawMessage(`{"kind":"Pod"}`),
		Calls:  []replay.Call{{Phase: "mutating", Configuration: "c", Webhook: "w", Outcome: "allowed"}},
	}
	if i%10 == 0 {
		r.Allowed, r.Error, r.Calls = false, "the kind is unknown", nil
	}
	return r
}

const (
	requests = 100
	// broken is the number of broken lines, all of which the first shard has.
	broken = 2
)

// endOf returns the End of a shard.
func endOf(s Shard) End {
	if s.Index > 0 {
		return End{Lines: requests + broken}
	}
	return End{Lines: requests + broken, Broken: broken}
}

// writeShards writes the results of a replay in a new folder.
func writeShards(t *testing.T, count int) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "results")
	for i := range count {
		writeShard(t, folder, Shard{i, count})
	}
	return folder
}

func writeShard(t *testing.T, folder string, s Shard) {
	t.Helper()
	w, err := Open(folder, Header{Shard: s, Corpus: "c", Settings: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range requests {
		if r := result(i); s.Has(r.ID) {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Finish(endOf(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestMergeOfAnyShards: the merged file and its summary are the same for any number
// of shards.
func TestMergeOfAnyShards(t *testing.T) {
	t.Parallel()
	var first, firstSummary []byte
	for _, count := range []int{1, 2, 7, 64} {
		folder := writeShards(t, count)
		output := filepath.Join(t.TempDir(), "all.jsonl")
		s, err := Merge(t.Context(), &MergeOptions{Paths: []string{folder}, Output: output})
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		summary, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, firstSummary = got, summary
		}
		if !bytes.Equal(got, first) || !bytes.Equal(summary, firstSummary) {
			t.Errorf("%d shards: another file or summary: %s", count, summary)
		}
		if s.Requests != requests || s.Failed != 10 || s.Broken != broken {
			t.Errorf("%d shards: %+v", count, s)
		}
		if left, _ := os.ReadDir(filepath.Dir(output)); len(left) != 1 {
			t.Errorf("%d shards: temporary files are left: %v", count, left)
		}
	}
	if lines := bytes.Split(first, []byte("\n")); len(lines) != requests+1 ||
		!bytes.HasPrefix(lines[41], []byte(`{"id":"41","request":"CREATE pods/a<b`)) {
		t.Errorf("the merged file is not sorted:\n%s", first)
	}
}

// TestSorter sorts with many small runs, in several rounds.
func TestSorter(t *testing.T) {
	t.Parallel()
	s := sorter{folder: t.TempDir(), limit: 400, fan: 3}
	var want, got []string
	for i := range 500 {
		id := fmt.Sprintf("%03d", i*131%500)
		r, err := newRecord(fmt.Appendf(nil, `{"id":"%s","request":"a \" {b"}`, id), i%4, i)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.add(r); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("%03d", i))
	}
	if len(s.runs) < 10 {
		t.Fatalf("only %d runs", len(s.runs))
	}
	err := s.each(func(r *record) error {
		if i := r.line; i*131%500 != len(got) || r.file != i%4 {
			t.Errorf("%s: file %d, line %d", r.id, r.file, r.line)
		}
		got = append(got, string(r.id))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

type mergeCase struct {
	row
	// change changes the folder of two shards and returns the paths to merge.
	change func(t *testing.T, folder string) []string
	want   []string
}

// firstIn returns the first ID in one of two shards.
func firstIn(shard int) string {
	i := 0
	for !(Shard{shard, 2}).Has(result(i).ID) {
		i++
	}
	return result(i).ID
}

// TestMergeRefusals: what is missing or wrong is named, and nothing is written.
func TestMergeRefusals(t *testing.T) {
	t.Parallel()
	edit := func(old, replacement string) func(*testing.T, string) []string {
		return func(t *testing.T, folder string) []string {
			name := filepath.Join(folder, "results-1-of-2.jsonl")
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			changed := strings.Replace(string(text), old, replacement, 1)
			if changed == string(text) {
				t.Fatalf("%q is not in the file", old)
			}
			if err := os.WriteFile(name, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			return []string{folder}
		}
	}
	testtable.Run(t, []mergeCase{{
		row{"missing shard", "a part of the results would look like all"},
		func(t *testing.T, folder string) []string {
			return []string{filepath.Join(folder, "results-1-of-2.jsonl")}
		},
		[]string{"of 2 shards 0 is missing"},
	}, {
		row{"killed shard", "it has no end"}, edit(`{"apiVersion":"gatehouse/v1alpha1","kind":"ReplayEnd"`, `{"id":"x`),
		[]string{"results-1-of-2.jsonl: shard 1/2 is not complete: run it again"},
	}, {
		row{"another corpus", "its results are of other requests"}, edit(`"corpus":"c"`, `"corpus":"d"`),
		[]string{"belong to different replays: the file has the results of another corpus"},
	}, {
		row{"other settings", "its results are not comparable"}, edit(`"settings":"s"`, `"settings":"t"`),
		[]string{"the file has the results of other configurations or flags"},
	}, {
		row{"no results", "the file is another one"}, edit(`"kind":"ReplayResults"`, `"kind":"Pod"`),
		[]string{"results-1-of-2.jsonl:1: the file does not have the results of a replay"},
	}, {
		row{"other lines", "a file of the corpus has changed"}, edit(`"lines":102`, `"lines":103`),
		[]string{"the corpus had 102 and 103 lines"},
	}, {
		row{"lost line", "a result is missing"}, edit(`"broken":0`, `"broken":1`),
		[]string{"the shards have results for 103 of 102 lines of the corpus"},
	}, {
		row{"broken line", "it is named"}, edit(`{"id":`, `{"ID":`),
		[]string{"results-1-of-2.jsonl:2: the line is not a result"},
	}, {
		row{"same ID", "both positions are named"}, edit(`{"id":"`+firstIn(1), `{"id":"`+firstIn(0)),
		[]string{"results-0-of-2.jsonl:2 and ", "results-1-of-2.jsonl:2: requests with the same ID, " + firstIn(0)},
	}, {
		row{"twice", "a shard counts once"},
		func(_ *testing.T, folder string) []string { return []string{folder, folder} },
		[]string{"both have shard 0/2"},
	}, {
		row{"empty folder", "the path is probably wrong"},
		func(t *testing.T, _ string) []string { return []string{t.TempDir()} },
		[]string{"holds no results of a replay"},
	}, {
		row{"no such path", "the path is wrong"},
		func(*testing.T, string) []string { return []string{"/does/not/exist"} },
		[]string{"/does/not/exist: cannot be read: no such file or directory"},
	}}, func(t *testing.T, tc mergeCase) {
		folder := writeShards(t, 2)
		output := filepath.Join(t.TempDir(), "all.jsonl")
		_, err := Merge(t.Context(), &MergeOptions{Paths: tc.change(t, folder), Output: output})
		for _, want := range tc.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v\nwant %s", err, want)
			}
		}
		if left, _ := os.ReadDir(filepath.Dir(output)); len(left) != 0 {
			t.Errorf("files are left: %v", left)
		}
	})
}

// TestMergeOverwritesNothing keeps the file that is there.
func TestMergeOverwritesNothing(t *testing.T) {
	t.Parallel()
	folder := writeShards(t, 1)
	output := filepath.Join(t.TempDir(), "all.jsonl")
	if err := os.WriteFile(output, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Merge(t.Context(), &MergeOptions{Paths: []string{folder}, Output: output})
	if err == nil || !strings.Contains(err.Error(), "the file exists") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(output); string(text) != "mine" {
		t.Errorf("the file has %q", text)
	}
}
