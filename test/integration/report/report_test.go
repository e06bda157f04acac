package report

import (
	"context"
	"fmt"
	"testing"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/reportsample"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// useCase is a use of a report.
type useCase struct {
	row
	use func(t *testing.T, browser context.Context, width int64)
}

// TestReport runs every case at both widths, in tabs of one browser. Tabs that
// are not in front get no time to draw, so the cases run one after the other.
func TestReport(t *testing.T) {
	cases := testtable.Checked(t, []useCase{
		{row{"quickstart", "it is the first page that a reader sees"}, showQuickstart},
		{row{"click", "most people point at a call"}, openByClick},
		{row{"keyboard", "others have no pointer"}, openByKeyboard},
		{row{"skipped", "why was my webhook not called?"}, filterSkipped},
		{row{"evidence", "a webhook that was not called has details as well"}, openSkipped},
		{row{"policies", "policies decide before webhooks"}, readPolicies},
		{row{"fields", "who changed this field?"}, readFields},
		{row{"legend", "what did this webhook write?"}, filterFields},
		{row{"overview", "several requests need one"}, readOverview},
		{row{"link", "people send each other links to a call"}, followLink},
		{row{"words", "a word that is broken in the middle is hard to read"}, readWords},
		{row{"columns", "tables of one kind are compared at a glance"}, sameColumns},
		{row{"injected", "an injected answer is not the webhook's"}, seeInjected},
		{row{"theme", "the button must win over the system"}, toggleTheme},
		{row{"no storage", "browsers may not let files remember anything"}, toggleWithoutStorage},
		{row{"print", "paper cannot be clicked at"}, printIt},
		{row{"large", "20 requests of 200 webhooks must stay usable"}, openLarge},
		{row{"hostile", "an object must not control the page"}, openHostile},
		{row{"deep", "what cannot be shown must not take the rest with it"}, openDeep},
		{row{"empty", "every part may be absent"}, openEmpty},
		{row{"names", "screen readers need a name for whatever one can press"}, nameEverything},
		{row{"contrast", "grey on grey is not readable"}, contrastEverywhere},
		{row{"requests", "a server's list opens each of its requests"}, openRequests},
		{row{"new requests", "the list follows the server"}, followRequests},
		{row{"server that stops", "an old list must not look like a new one"}, loseServer},
		{row{"outage", "what do our webhooks endanger?"}, readOutage},
		{row{"cell", "why is this request refused?"}, openCell},
		{row{"matrix by keyboard", "others have no pointer"}, walkMatrix},
		{row{"matrix filters", "most cells of a matrix are of no interest"}, filterMatrix},
		{row{"many backends", "60 backends and 120 requests must stay usable"}, openManyBackends},
		{row{"hostile outage", "a name must not control the page"}, openHostileOutage},
		{row{"calm", "a cluster may have no trouble"}, openCalmOutage},
		{row{"outage without scripts", "a summary is better than an empty page"}, outageWithoutScripts},
		{row{"findings", "what has to be repaired, and why?"}, readFindings},
		{row{"proof", "a finding must be believed, and replayed"}, replayFinding},
		{row{"finding filters", "teams look at their own files"}, filterFindings},
		{row{"findings by keyboard", "others have no pointer"}, useFindingsByKeyboard},
		{row{"hostile findings", "a file or a reason must not control the page"}, openHostileFindings},
		{row{"no findings", "there may be nothing to repair"}, openNoFindings},
		{row{"findings without scripts", "a summary is better than an empty page"}, lintWithoutScripts},
		{row{"changes", "what does this change break, and which line is it?"}, readDiff},
		{row{"cause filters", "teams look at their own webhooks"}, filterCauses},
		{row{"causes by keyboard", "others have no pointer"}, useCausesByKeyboard},
		{row{"many causes", "500 causes must stay usable"}, openManyCauses},
		{row{"hostile changes", "a file or a request must not control the page"}, openHostileDiff},
		{row{"no changes", "nothing may differ"}, openNoDiff},
		{row{"changes without scripts", "a summary is better than an empty page"}, diffWithoutScripts},
		{row{"documentation", "it is read on telephones, too"}, readDocumentation},
		{row{"audit logs", "which webhooks and controllers fight, and who writes what?"}, readAudit},
		{row{"request of a loop", "a loop must be repeated to be understood"}, rerun},
		{row{"audit filters", "teams look at their own webhooks and objects"}, filterAudit},
		{row{"loops by keyboard", "others have no pointer"}, useAuditByKeyboard},
		{row{"many loops", "1000 loops, webhooks and objects must stay usable"}, openManyLoops},
		{row{"object of a log", "who wrote this field, and in which request?"}, openObject},
		{row{"hostile audit logs", "a name must not control the page"}, openHostileAudit},
		{row{"no loops", "there may be nothing to tell"}, openCalmAudit},
		{row{"audit logs without scripts", "a summary is better than an empty page"}, auditWithoutScripts},
		{row{"no scripts", "a summary is better than an empty page"}, withoutScripts},
	})
	browser := start(t)
	for _, tc := range cases {
		for _, width := range []int64{1280, 390} {
			t.Run(fmt.Sprintf("%s/%d", tc.Name(), width), func(t *testing.T) {
				t.Cleanup(func() {
					if t.Failed() {
						t.Logf("why: %s", tc.Why())
					}
				})
				tc.use(t, browser, width)
			})
		}
	}
}

func pod() *explain.Document { return reportsample.Document(reportsample.Pod()) }

// several is a week's worth of a small team.
func several() *explain.Document {
	d := reportsample.Many(7, 24)
	d.Items = append(d.Items, reportsample.Pod(), reportsample.Small())
	return d
}
