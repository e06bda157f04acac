package suitefile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

func goldenRefusals() []refusal {
	at := func(path string) string { return expecting("golden: " + path + "\n") }
	says := "(line 8): cases[0].expect.golden: "
	return []refusal{
		{row{"empty golden", "it would not be looked at"}, at("''"), says + "the path is empty", true},
		{row{"golden of another ending", "an update would write over a program"}, at("../read.go"), says + "read.go: must end in .yaml, .yml or .json", true},
		{row{"golden in a file", "a file has no files"}, at("pod.yaml/a.yaml"), says + "testdata/pod.yaml/a.yaml: cannot be read: not a directory", false},
		{row{"golden that is the suite", "an update would write over it, if it were there"}, at("../testdata/suite.yaml"),
			says + "testdata/suite.yaml: is also read as the suite: use another file as golden", false},
		{row{"golden that is the request", "it would be another request next time"}, at("folder/../pod.yaml"),
			says + "testdata/pod.yaml: is also read as a request or a part of one: use another file as golden", false},
		{row{"golden that is a configuration", "an object of the cluster is not the final one"}, at("webhooks.yaml"),
			says + "testdata/webhooks.yaml: is also read as configurations: use another file as golden", false},
		{row{"golden among configurations", "it would be one, once it is written"}, strings.Replace(at("folder/new.yaml"), "[webhooks.yaml]", "[webhooks.yaml, folder]", 1),
			says + "testdata/folder/new.yaml: is in testdata/folder, which is read as configurations: put it into another folder", false},
		{row{"golden below recursive configurations", "it would be one as well"}, strings.Replace(at("folder/a/new.yaml"), "[webhooks.yaml]", "[webhooks.yaml, folder]", 1) + "recursive: true\n",
			says + "testdata/folder/a/new.yaml: is in testdata/folder, which is read as configurations: put it into another folder", false},
		{row{"golden that is a CA", "an update would write over it"}, at("ca.yaml") + "webhooks: [{address: 'a:1', caFile: ca.yaml}]\n",
			says + "testdata/ca.yaml: is also read as webhooks[0].caFile: use another file as golden", false},
		{row{"every golden", "an author sees all of them"}, head + cluster + "cases:\n- {name: a, request: {object: two.yaml}, expect: {golden: pod.yaml}}\n" +
			"- {name: b, request: pod.yaml, expect: {golden: a.txt}}\n- {name: c, request: {patch: {type: merge, content: patch.yaml}}, expect: {golden: patch.yaml}}\n",
			"(line 5): cases[0].request.object: testdata/two.yaml: holds more than one document\n" +
				"(line 5): cases[0].expect.golden: testdata/pod.yaml: is also read as a request or a part of one: use another file as golden\n" +
				"(line 6): cases[1].expect.golden: testdata/a.txt: must end in .yaml, .yml or .json\n" +
				"(line 7): cases[2].expect.golden: testdata/patch.yaml: is also read as a request or a part of one: use another file as golden", true},
	}
}

// TestGoldenFiles are beside files of all sorts.
func TestGoldenFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	in := func(name string) string { return filepath.Join(root, name) }
	const pod = "{apiVersion: v1, kind: Pod}\n"
	for _, err := range []error{
		os.Mkdir(in("config"), 0o700), os.Mkdir(in("golden"), 0o700), os.Mkdir(in("folder.yaml"), 0o700),
		os.WriteFile(in("pod.yaml"), []byte(pod), 0o600), os.WriteFile(in("config/pod.yaml"), []byte(pod), 0o600),
		os.WriteFile(in("golden/pod.yaml"), []byte(pod), 0o600),
		os.Symlink("pod.yaml", in("link.yaml")), os.Symlink("config/pod.yaml", in("far.yaml")), os.Symlink("config", in("near")),
		os.Mkdir(in("config/sub"), 0o700), os.Symlink("config/sub", in("below")), os.Symlink("../golden", in("config/elsewhere")),
		os.Symlink("golden/pod.yaml", in("fine.yaml")), os.Symlink("nowhere.yaml", in("new.yaml")), os.Symlink(os.DevNull, in("null.yaml")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	type test struct {
		row
		golden, want string
		recursive    bool
	}
	testtable.Run(t, []test{
		{row{"there", "it is compared, and an update writes over it"}, "golden/pod.yaml", "", false},
		{row{"link", "it is as good as what it leads to"}, "fine.yaml", "", false},
		{row{"link to nothing", "an update writes it"}, "new.yaml", "", false},
		{row{"below the configurations", "folders in theirs are not read"}, "config/golden/pod.yaml", "", false},
		{row{"folder", "it has an ending like a file"}, "folder.yaml", "folder.yaml: is a folder, not a file", false},
		{row{"device", "it has no end, or none that is read"}, "null.yaml", "null.yaml: is not a regular file", false},
		{row{"link to the request", "it is one file under two names"}, "link.yaml", "link.yaml: is also read as a request or a part of one: use another file as golden", false},
		{row{"link to a configuration", "it is in the folder under another name"}, "far.yaml", "far.yaml: is in config, which is read as configurations: put it into another folder", false},
		{row{"link to the configurations", "it is the folder under another name"}, "near/a.yaml", "near/a.yaml: is in config, which is read as configurations: put it into another folder", false},
		{row{"below recursive configurations", "folders in theirs are read"}, "config/golden/pod.yaml", "config/golden/pod.yaml: is in config, which is read as configurations: put it into another folder", true},
		{row{"far below recursive configurations", "an update makes the folders"}, "config/a/b/pod.yaml", "config/a/b/pod.yaml: is in config, which is read as configurations: put it into another folder", true},
		{row{"link to below recursive configurations", "it is the folder under another name"}, "below/new.yaml", "below/new.yaml: is in config, which is read as configurations: put it into another folder", true},
		{row{"hidden folder in recursive configurations", "it is not read"}, "config/.golden/pod.yaml", "", true},
		{row{"link in recursive configurations", "links to folders are not read"}, "config/elsewhere/pod.yaml", "", true},
		{row{"beside recursive configurations", "it is not read"}, "golden/pod.yaml", "", true},
	}, func(t *testing.T, tc test) {
		input := head + fmt.Sprintf("configurations: [config]\nrecursive: %t\n", tc.recursive) + "cases: [{name: a, request: pod.yaml, expect: {golden: " + tc.golden + "}}]\n"
		for d, err := range manifest.Documents(in("suite.yaml"), strings.NewReader(input)) {
			if err == nil {
				_, err = suitefile.Read(d)
			}
			got := strings.ReplaceAll(testtable.Text(err), root+string(filepath.Separator), "")
			want := ""
			if tc.want != "" {
				want = "suite.yaml: document 1 (line 5): cases[0].expect.golden: " + tc.want
			}
			if got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		}
	})
}
