package report

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Merged returns a copy in which webhooks of one server with the same findings
// share a result, because one handler may serve several webhooks. Findings are
// the same if they differ only in the sample. Other results do not change.
func (r *Report) Merged() *Report {
	merged := *r
	merged.Results = nil
	first := map[string]int{}
	for i := range r.Results {
		result := r.Results[i]
		key := result.Check + "\n" + r.server(result.Webhook) + "\n" + result.signature()
		at, seen := first[key]
		switch {
		case result.Webhook == "" || result.Verdict != Fail:
		case seen:
			same := &merged.Results[at]
			same.Also = append(slices.Clip(same.Also), result.Webhook)
			continue
		default:
			first[key] = len(merged.Results)
		}
		merged.Results = append(merged.Results, result)
	}
	return &merged
}

// server returns the host and the port of a webhook.
func (r *Report) server(webhook string) string {
	for i := range r.Webhooks {
		if r.Webhooks[i].Name != webhook {
			continue
		}
		if u, err := url.Parse(r.Webhooks[i].URL); err == nil {
			return u.Host
		}
	}
	return webhook
}

// uids differ from request to request.
var uids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// signature returns the findings without what differs between samples.
func (r *Result) signature() string {
	var all []string
	for _, f := range slices.Concat(r.Findings, r.Rest) {
		all = append(all, fmt.Sprint(uids.ReplaceAllString(f.Message, ""), f.Paths, f.Level, f.Known, f.Accepted))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\n")
}
