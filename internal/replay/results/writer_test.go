package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestParseShard(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0/1": "", "7/8": "", "8/8": "the shards of 8 are 0 to 7", "-1/8": "are 0 to 7",
		"0/0": "want 1 to 10000", "0/10001": "want 1 to 10000", "1": "want I/N", "a/b": "want I/N", "": "want I/N",
		"1/2/3": "want I/N",
	} {
		s, err := ParseShard(text)
		if want == "" && (err != nil || s.String() != text) {
			t.Errorf("%q: %v, %v", text, s, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestEachRequestIsInOneShard, and no shard has much more than others.
func TestEachRequestIsInOneShard(t *testing.T) {
	t.Parallel()
	const count, all = 7, 7000
	var sizes [count]int
	for i := range all {
		id := strings.Repeat("x", i%13) + string(rune('a'+i%26)) + strings.Repeat("y", i/26)
		owners := 0
		for s := range count {
			if (Shard{s, count}).Has(id) {
				owners++
				sizes[s]++
			}
		}
		if owners != 1 {
			t.Fatalf("%d shards have %q", owners, id)
		}
	}
	for s, size := range sizes {
		if size < all/count*8/10 || size > all/count*12/10 {
			t.Errorf("shard %d has %d of %d requests", s, size, all)
		}
	}
}

// TestContinue cuts the file of a shard, as a kill does. It is continued after the last whole line.
func TestContinue(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(writeShards(t, 1), Whole.fileName())
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	name := filepath.Join(folder, Whole.fileName())
	for size := 0; size <= len(text); size += 311 {
		if err := os.WriteFile(name, text[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		continueShard(t, folder)
		if again, err := os.ReadFile(name); err != nil || string(again) != string(text) {
			t.Fatalf("cut at %d: another file, %v", size, err)
		}
	}
}

// continueShard writes what the file of the only shard lacks.
func continueShard(t *testing.T, folder string) {
	t.Helper()
	w, err := Open(folder, Header{Shard: Whole, Corpus: "c", Settings: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range requests {
		earlier, err := w.Earlier()
		if err != nil {
			t.Fatal(err)
		}
		if earlier == nil {
			err = w.Write(result(i))
		} else if earlier.ID != result(i).ID {
			t.Errorf("the earlier result %d is that of %s", i, earlier.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if w.Finished() == nil {
		err = w.Finish(endOf(Whole))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

type openCase struct {
	row
	text, want string
}

// TestOpenRefuses: the file stays as it is.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	const header = `{"apiVersion":"gatehouse/v1alpha1","kind":"ReplayResults","shard":"0/1","corpus":"c","settings":"s"}` + "\n"
	testtable.Run(t, []openCase{
		{row{"notes", "another file has this name"}, "my notes\n", "1: the file does not have the results of a replay: it is not overwritten"},
		{row{"no line", "it is not the beginning of a header"}, "my notes", "1: the file is cut off: it is not overwritten"},
		{row{"corpus", "the earlier results are of other requests"}, strings.Replace(header, `"c"`, `"d"`, 1), "the results of another corpus"},
		{row{"settings", "the earlier results are not comparable"}, strings.Replace(header, `"s"`, `"t"`, 1), "other configurations or flags"},
		{row{"shard", "a file was renamed"}, strings.Replace(header, `0/1`, `1/2`, 1), "the results of shard 1/2"},
		{row{"version", "a newer gatehouse wrote it"}, strings.Replace(header, `v1alpha1`, `v2`, 1), `"gatehouse/v2" is not known`},
		{row{"end", "a line that is neither a result nor an end"}, header + `{"apiVersion":"v1","kind":"Pod"}` + "\n", `:2: kind: "Pod" is not ReplayEnd`},
	}, func(t *testing.T, tc openCase) {
		folder := t.TempDir()
		name := filepath.Join(folder, Whole.fileName())
		if err := os.WriteFile(name, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(folder, Header{Shard: Whole, Corpus: "c", Settings: "s"})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("got %v\nwant %s", err, tc.want)
		}
		if text, _ := os.ReadFile(name); string(text) != tc.text {
			t.Errorf("the file has changed: %q", text)
		}
	})
}

// TestTwoProcesses: the second Writer of a file is refused.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	h := Header{Shard: Whole, Corpus: "c", Settings: "s"}
	w, err := Open(folder, h)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(folder, h); err == nil || !strings.Contains(err.Error(), "another process writes this shard") {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(folder, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}
