package outage

import (
	"cmp"
	"encoding/json"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/lint/simulation"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// newPage runs the requests again for the explanations, which the matrix does not keep.
func newPage(c *lint.Cluster) (*page, error) {
	rows := make([]explainedRow, len(c.Matrix.Rows))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range rows {
		group.Go(func() (err error) {
			rows[i], err = explainRow(c, &c.Matrix.Rows[i])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	p := &page{
		Requests: []pageRequest{}, Backends: pageBackends(c), Pairs: []pagePair{},
		ColdStart: newColdStart(c),
	}
	n := numberer{page: p, known: map[string]int{}}
	for i := range rows {
		p.Requests = append(p.Requests, n.request(&c.Matrix.Rows[i], &rows[i]))
	}
	return p, n.addPairs(c)
}

func pageBackends(c *lint.Cluster) []pageBackend {
	all := []pageBackend{}
	for _, b := range c.Matrix.Backends {
		assumed := slices.ContainsFunc(c.Needs, func(n outage.Needs) bool {
			return n.Backend == b && n.Assumed
		})
		one := pageBackend{Name: b.String(), Assumed: assumed}
		for _, w := range c.Webhooks {
			if w.Backend == b {
				one.Webhooks = append(one.Webhooks, newPageWebhook(w))
			}
		}
		all = append(all, one)
	}
	return all
}

func newPageWebhook(w *inventory.Webhook) pageWebhook {
	out := pageWebhook{
		Name: webhookconfig.FullName(w.Webhook), Phase: w.Phase.String(), FailurePolicy: "Fail",
	}
	if w.IgnoresFailures() {
		out.FailurePolicy = "Ignore"
	}
	if w.TimeoutSeconds != nil {
		out.TimeoutSeconds = *w.TimeoutSeconds
	}
	return out
}

// explainedRow has the outcomes of a request, by backend.
type explainedRow struct {
	healthy, everything pageOutcome
	refuses, hangs      []pageOutcome
}

func explainRow(c *lint.Cluster, row *outage.Row) (explainedRow, error) {
	healthy := row.Result.Explain()
	out := explainedRow{healthy: newPageOutcome(row.Healthy, "")}
	everything := simulation.Down{}
	for _, b := range c.Matrix.Backends {
		everything[b] = simulation.Hanging
		if !slices.Contains(row.Reached, b) {
			passed := newPageOutcome(row.Healthy, healthy.Tree(b))
			out.refuses, out.hangs = append(out.refuses, passed), append(out.hangs, passed)
			continue
		}
		var of [2]pageOutcome
		for i, state := range outage.States {
			var err error
			down := simulation.Down{b: state}
			of[i], err = explainOutcome(c, row.Request, down, row.OutcomeOf(b, state), b)
			if err != nil {
				return out, err
			}
		}
		out.refuses, out.hangs = append(out.refuses, of[0]), append(out.hangs, of[1])
	}
	var err error
	out.everything, err = explainOutcome(c, row.Request, everything, row.Worst, row.Reached...)
	return out, err
}

// explainOutcome explains what happens to a request that reaches some backends.
func explainOutcome(
	c *lint.Cluster, r *critical.Request, down simulation.Down, o *outage.Outcome,
	reached ...inventory.Backend,
) (pageOutcome, error) {
	result, err := c.Replay(r, down)
	if err != nil {
		return pageOutcome{}, err
	}
	out := newPageOutcome(o, result.Explain().Tree(reached...))
	out.Reached = len(reached) > 0
	return out, nil
}

func newPageOutcome(o *outage.Outcome, tree string) pageOutcome {
	return pageOutcome{
		Effect: o.Effect.String(), Seconds: o.Elapsed.Seconds(), TimedOut: o.TimedOut,
		Webhooks: names(o.Failed), Tree: strings.TrimSuffix(tree, "\n"),
	}
}

// numberer numbers the outcomes of a page. Equal ones have one number.
type numberer struct {
	page  *page
	known map[string]int
}

func (n *numberer) outcome(o pageOutcome) int {
	key, _ := json.Marshal(o) // it has texts and numbers
	number, ok := n.known[string(key)]
	if !ok {
		number = len(n.page.Outcomes)
		n.known[string(key)] = number
		n.page.Outcomes = append(n.page.Outcomes, o)
	}
	return number
}

func (n *numberer) outcomes(all []pageOutcome) []int {
	numbers := []int{}
	for _, o := range all {
		numbers = append(numbers, n.outcome(o))
	}
	return numbers
}

func (n *numberer) request(row *outage.Row, explained *explainedRow) pageRequest {
	q := row.Request
	return pageRequest{
		Request: newRequest(q), Group: q.Group, Title: titleOf(q), User: q.User.Username,
		Healthy: n.outcome(explained.healthy), Everything: n.outcome(explained.everything),
		Refuses: n.outcomes(explained.refuses), Hangs: n.outcomes(explained.hangs),
	}
}

// titleOf returns for example "UPDATE nodes/status node-1".
func titleOf(q *critical.Request) string {
	resource := q.Resource.Resource
	if q.Subresource != "" {
		resource += "/" + q.Subresource
	}
	return strings.TrimSpace(string(q.Operation) + " " + resource + " " +
		strings.TrimPrefix(q.Namespace+"/"+q.Name, "/"))
}

// addPairs adds the worst pairs.
func (n *numberer) addPairs(c *lint.Cluster) error {
	type pair struct {
		request int
		*outage.Pair
	}
	var all []pair
	for i := range c.Matrix.Rows {
		for j := range c.Matrix.Rows[i].Together {
			all = append(all, pair{i, &c.Matrix.Rows[i].Together[j]})
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int {
		one, other := a.Outcome, b.Outcome
		return cmp.Or(cmp.Compare(other.Effect, one.Effect), cmp.Compare(other.Elapsed, one.Elapsed))
	})
	n.page.PairCount = len(all)
	for _, p := range all[:min(len(all), maxPairs)] {
		one, other := p.Backends[0], p.Backends[1]
		o, err := explainOutcome(c, c.Matrix.Rows[p.request].Request,
			simulation.Down{one: p.State, other: p.State}, p.Outcome, one, other)
		if err != nil {
			return err
		}
		n.page.Pairs = append(n.page.Pairs, pagePair{
			Backends: [2]int{slices.Index(c.Matrix.Backends, one), slices.Index(c.Matrix.Backends, other)},
			Request:  p.request, Outcome: n.outcome(o),
		})
	}
	return nil
}
