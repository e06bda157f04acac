package junit

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func TestWrite(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		report Report
		want   string
	}
	testtable.Run(t, []test{
		{
			row{"nothing", "readers want a root all the same"},
			Report{},
			`<testsuites tests="0" failures="0" errors="0"></testsuites>`,
		},
		{
			row{"counts", "a case counts once, as the worst that it is"},
			Report{Name: "all", Suites: []Suite{{Name: "a", Cases: []Case{
				{Name: "passes", Duration: 1500 * time.Millisecond},
				{Name: "fails twice", Class: "c", Failures: []Message{{Summary: "one", Type: "must", Text: "all\n\tof \"it\""}, {Summary: "two"}}, Error: &Message{}},
				{Name: "breaks", Error: &Message{Summary: "no"}, Skipped: &Message{}},
				{Name: "is skipped", Skipped: &Message{Summary: "nothing there"}},
			}}, {Name: "b", Cases: []Case{{Name: "breaks", Error: &Message{}}}}}},
			`<testsuites name="all" tests="5" failures="1" errors="2">
  <testsuite name="a" tests="4" failures="1" errors="1" skipped="1">
    <testcase name="passes" time="1.500"></testcase>
    <testcase name="fails twice" classname="c">
      <failure message="one" type="must">all
	of "it"</failure>
      <failure message="two"></failure>
    </testcase>
    <testcase name="breaks">
      <error message="no"></error>
    </testcase>
    <testcase name="is skipped">
      <skipped message="nothing there"></skipped>
    </testcase>
  </testsuite>
  <testsuite name="b" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="breaks">
      <error></error>
    </testcase>
  </testsuite>
</testsuites>`,
		},
		{
			row{"output", "it may be of a suite or of a case"},
			Report{Suites: []Suite{{Name: "s", Properties: []Property{{"url", "https://x/?a&b"}}, SystemOut: "of s", Cases: []Case{{Name: "c", SystemOut: "of c"}}}}},
			`<testsuites tests="1" failures="0" errors="0">
  <testsuite name="s" tests="1" failures="0" errors="0" skipped="0">
    <properties>
      <property name="url" value="https://x/?a&amp;b"></property>
    </properties>
    <testcase name="c">
      <system-out>of c</system-out>
    </testcase>
    <system-out>of s</system-out>
  </testsuite>
</testsuites>`,
		},
		{
			row{"hostile", "a webhook must not end an element, and some characters XML does not have"},
			Report{Suites: []Suite{{Name: `"><x/>`, SystemOut: "]]></system-out>\x1b[31m\x00"}}},
			`<testsuites tests="0" failures="0" errors="0">
  <testsuite name="&#34;&gt;&lt;x/&gt;" tests="0" failures="0" errors="0" skipped="0">
    <system-out>]]&gt;&lt;/system-out&gt;` + "\ufffd" + `[31m` + "\ufffd" + `</system-out>
  </testsuite>
</testsuites>`,
		},
	}, func(t *testing.T, tc test) {
		var got strings.Builder
		if err := Write(&got, &tc.report); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(xml.Header+tc.want+"\n", got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// full is a writer that takes so many bytes and no more.
type full struct{ capacity int }

func (f *full) Write(p []byte) (int, error) {
	if f.capacity -= len(p); f.capacity < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestWriteFails wherever the writer ends.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	var whole strings.Builder
	if err := Write(&whole, &Report{}); err != nil {
		t.Fatal(err)
	}
	for _, capacity := range []int{0, len(xml.Header), whole.Len() - 1} {
		if err := Write(&full{capacity}, &Report{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("with capacity for %d bytes: %v, want that of the writer", capacity, err)
		}
	}
}
