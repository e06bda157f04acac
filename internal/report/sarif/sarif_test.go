package sarif

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func TestWrite(t *testing.T) {
	t.Parallel()
	const head = `{
  "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
  "version": "2.1.0",
  "runs": [
`
	type test struct {
		row
		run  Run
		want string
	}
	testtable.Run(t, []test{
		{
			row{"nothing found", "no results are a result, and null would say that nothing was checked"},
			Run{Tool: Tool{Component{Name: "tool"}}, Results: []Result{}},
			`    {
      "tool": {
        "driver": {
          "name": "tool"
        }
      },
      "results": []
    }
  ]
}
`,
		},
		{
			row{"a result", "the first rule has the index 0 and the text its own characters"},
			Run{
				Tool: Tool{Component{Name: "tool", Rules: []Rule{{ID: "R", Help: &Text{"<do>"}, Default: &Default{Warning}}}}},
				Results: []Result{{RuleID: "R", Level: Error, Message: Text{"it & that"}, Locations: []Location{{
					Physical: &Physical{Artifact{"a.yaml"}, &Region{3}}, Logical: []Logical{{"hook", "resource"}},
				}}}},
			},
			`    {
      "tool": {
        "driver": {
          "name": "tool",
          "rules": [
            {
              "id": "R",
              "help": {
                "text": "<do>"
              },
              "defaultConfiguration": {
                "level": "warning"
              }
            }
          ]
        }
      },
      "results": [
        {
          "ruleId": "R",
          "ruleIndex": 0,
          "level": "error",
          "message": {
            "text": "it & that"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "a.yaml"
                },
                "region": {
                  "startLine": 3
                }
              },
              "logicalLocations": [
                {
                  "fullyQualifiedName": "hook",
                  "kind": "resource"
                }
              ]
            }
          ]
        }
      ]
    }
  ]
}
`,
		},
	}, func(t *testing.T, tc test) {
		var got strings.Builder
		if err := Write(&got, tc.run); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(head+tc.want, got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestWriteFails as the writer does.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	if err := Write(closed{}, Run{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v, want that of the writer", err)
	}
}

func TestURI(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path, want string
	}
	testtable.Run(t, []test{
		{row{"relative", "it is looked up in the repository"}, "config/webhooks.yaml", "config/webhooks.yaml"},
		{row{"dots", "they stay: the reader knows where the tool was run"}, "../a.yaml", "../a.yaml"},
		{row{"absolute", "it is a file of this machine"}, "/tmp/a.yaml", "file:///tmp/a.yaml"},
		{row{"space", "a URI has none"}, "my hooks.yaml", "my%20hooks.yaml"},
		{row{"colon", "what is before it is no scheme"}, "a:b.yaml", "./a:b.yaml"},
		{row{"question", "what is after it is no query"}, "a?b#c.yaml", "a%3Fb%23c.yaml"},
	}, func(t *testing.T, tc test) {
		if got := URI(tc.path); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}
