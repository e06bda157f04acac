package whatif

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/replay"
)

// Compare returns the differences between two results of a request, in the order of
// the fields.
func Compare(before, after *replay.Result) []Item {
	if before.Error != "" || after.Error != "" {
		return text(Failure, before.Error, after.Error)
	}
	return slices.Concat(compareVerdicts(before, after),
		text(Warnings, strings.Join(before.Warnings, "; "), strings.Join(after.Warnings, "; ")),
		compareObjects(before, after),
		compareCalls(before.Calls, after.Calls),
		comparePolicies(before.Policies, after.Policies),
		compareAnnotations(before.AuditAnnotations, after.AuditAnnotations),
	)
}

// compareVerdicts compares the verdicts with their reasons, and those of two denials.
func compareVerdicts(before, after *replay.Result) []Item {
	if was, is := verdict(before), verdict(after); was != is {
		return []Item{{
			Field: Verdict, Before: reasoned(before), After: reasoned(after), was: was, is: is,
		}}
	}
	code := text(Code, codeOf(before), codeOf(after))
	for i := range code {
		code[i].was, code[i].is = code[i].Before, code[i].After
	}
	return append(code, text(Message, messageOf(before), messageOf(after))...)
}

// reasoned returns the verdict with the code and the message of a denial.
func reasoned(r *replay.Result) string {
	if code := codeOf(r); code != "" {
		return verdict(r) + " (" + code + "): " + messageOf(r)
	}
	return verdict(r)
}

// text returns the item of a field if its values differ.
func text(f Field, before, after string) []Item {
	if before == after {
		return nil
	}
	return []Item{{Field: f, Before: before, After: after}}
}

// The verdicts.
const (
	allowed   = "allowed"
	denied    = "denied"
	undecided = "not known"
)

func verdict(r *replay.Result) string {
	switch {
	case r.Undecided:
		return undecided
	case r.Allowed:
		return allowed
	}
	return denied
}

func codeOf(r *replay.Result) string {
	if r.Allowed || r.Undecided || r.Status == nil {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.Status.Code, r.Status.Reason))
}

func messageOf(r *replay.Result) string {
	if r.Allowed || r.Undecided || r.Status == nil {
		return ""
	}
	return r.Status.Message
}

// compareObjects compares the objects of a request that both sets allow: a denied
// request has no object.
func compareObjects(before, after *replay.Result) []Item {
	if verdict(before) == denied || verdict(after) == denied ||
		bytes.Equal(before.Object, after.Object) {
		return nil
	}
	changes, err := explain.Diff(before.Object, after.Object)
	if err != nil {
		return []Item{{Field: Object, Before: "an object", After: "another object that is too large to compare"}}
	}
	var items []Item
	for _, c := range changes {
		item := Item{Field: Object, Subject: c.Path, Before: string(c.Old), After: string(c.New)}
		if c.Op == "move" {
			item.Before, item.After = "at "+c.From, "at "+c.Path
		}
		items = append(items, item)
	}
	return items
}

// call identifies a webhook, or a policy and its binding.
type call struct {
	policy       bool
	phase        string
	owner, child string
	// param is that of a policy.
	param string
	round int
}

func (c call) item(f Field) Item {
	subject := c.owner + "/" + c.child
	if c.param != "" {
		subject += " with " + c.param
	}
	return Item{Field: f, Subject: subject, Phase: c.phase, Round: c.round, call: c}
}

// compareCalls compares the calls of webhooks.
func compareCalls(before, after []replay.Call) []Item {
	name := func(c *replay.Call) call {
		return call{phase: c.Phase, owner: c.Configuration, child: c.Webhook, round: c.Round}
	}
	return compareRuns(before, after, name, func(id call, old, now *replay.Call) []Item {
		var items []Item
		if ended(old) != ended(now) {
			item := id.item(Call)
			item.Before, item.After = ended(old), ended(now)
			item.was, item.is = outcome(old), outcome(now)
			items = append(items, item)
		}
		if old != nil && now != nil && !equalJSON(old.Patch, now.Patch) {
			items = append(items, id.item(Patch)) // a patch may hold a Secret
		}
		return items
	})
}

// outcome returns how a call ended; "" for no call.
func outcome(c *replay.Call) string {
	if c == nil {
		return ""
	}
	return c.Outcome
}

// ended returns how a call ended, with the code and the error.
func ended(c *replay.Call) string {
	switch {
	case c == nil:
		return ""
	case c.Error != "":
		return fmt.Sprintf("%s (%d): %s", c.Outcome, c.Code, c.Error)
	}
	return c.Outcome
}

func equalJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// comparePolicies compares the evaluations of policies.
func comparePolicies(before, after []replay.Policy) []Item {
	name := func(p *replay.Policy) call {
		return call{
			policy: true, phase: p.Phase, owner: p.Policy, child: p.Binding, param: p.Param, round: p.Round,
		}
	}
	show := func(p *replay.Policy) string {
		if p == nil {
			return ""
		}
		return strings.Join(append([]string{p.Outcome}, p.Messages...), ": ")
	}
	return compareRuns(before, after, name, func(id call, old, now *replay.Policy) []Item {
		if show(old) == show(now) {
			return nil
		}
		item := id.item(Policy)
		item.Before, item.After = show(old), show(now)
		if old != nil {
			item.was = old.Outcome
		}
		if now != nil {
			item.is = now.Outcome
		}
		return []Item{item}
	})
}

// compareRuns compares calls or evaluations by their names, in the order before, and
// the order of those of the mutating phase. Those of the validating phase run
// concurrently.
func compareRuns[T any](
	before, after []T, name func(*T) call, compare func(id call, old, now *T) []Item,
) []Item {
	old, now := byName(before, name), byName(after, name)
	var items []Item
	var wasOrder, order []call
	for i := range before {
		id := name(&before[i])
		items = append(items, compare(id, old[id], now[id])...)
		if now[id] != nil && id.phase == "mutating" {
			wasOrder = append(wasOrder, id)
		}
	}
	for i := range after {
		id := name(&after[i])
		if old[id] == nil {
			items = append(items, compare(id, nil, now[id])...)
		} else if id.phase == "mutating" {
			order = append(order, id)
		}
	}
	if !slices.Equal(wasOrder, order) {
		items = append(items, Item{
			Field: Order, Phase: "mutating", Before: names(wasOrder), After: names(order),
			was: names(wasOrder), is: names(order), call: call{policy: order[0].policy},
		})
	}
	return items
}

func byName[T any](list []T, name func(*T) call) map[call]*T {
	all := map[call]*T{}
	for i := range list {
		all[name(&list[i])] = &list[i]
	}
	return all
}

func names(calls []call) string {
	var all []string
	for _, c := range calls {
		item := c.item(Order)
		all = append(all, item.Subject)
	}
	return strings.Join(all, ", ")
}

func compareAnnotations(before, after map[string]string) []Item {
	old, now := annotationsOf(before), annotationsOf(after)
	keys := slices.Sorted(maps.Keys(old))
	for key := range now {
		if _, ok := old[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var items []Item
	for _, key := range keys {
		if old[key] != now[key] && !equalJSON(json.RawMessage(old[key]), json.RawMessage(now[key])) {
			items = append(items, Item{Field: Annotation, Subject: key, Before: old[key], After: now[key]})
		}
	}
	return items
}

// annotationsOf returns annotations whose keys name the webhook instead of the number
// of the call, which another webhook changes.
func annotationsOf(annotations map[string]string) map[string]string {
	named := map[string]string{}
	for key, value := range annotations {
		if prefix, index, ok := strings.Cut(key, "_index_"); ok && !strings.Contains(index, "/") {
			key = prefix + " " + cmp.Or(webhookOf(value), value)
		}
		named[key] = value
	}
	return named
}

// webhookOf returns the webhook that the value of an annotation names.
func webhookOf(value string) string {
	var v struct{ Configuration, Webhook string }
	if json.Unmarshal([]byte(value), &v) != nil || v.Webhook == "" {
		return ""
	}
	return v.Configuration + "/" + v.Webhook
}
