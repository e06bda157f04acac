package reportsample

import "example.com/gatehouse/internal/report"

// HostileOutage returns the data of a page of outages in which every text of the user is
// Evil.
func HostileOutage() *report.Page {
	backend := map[string]any{
		"name": Evil, "assumed": true,
		"webhooks": []any{map[string]any{"name": Evil, "phase": "mutating", "failurePolicy": "Fail", "timeoutSeconds": 10}},
	}
	outcome := map[string]any{"effect": "refused", "reached": true, "seconds": 10, "webhooks": []string{Evil}, "tree": Evil}
	stuck := map[string]any{"backend": Evil, "needs": Evil, "webhooks": []string{Evil}, "message": Evil}
	edge := map[string]any{"backend": Evil, "waitsFor": Evil, "needs": Evil, "webhooks": []string{Evil}}
	return &report.Page{
		Title: Evil, Summary: []report.Section{{Heading: Evil, Text: Evil, Lines: []string{Evil}}},
		Data: map[string]any{
			"requests": []any{map[string]any{
				"id": "pod", "does": Evil, "breaks": Evil, "title": Evil, "user": Evil, "group": Evil, "deadlineSeconds": 10,
				"healthy": 0, "refuses": []int{1, 1}, "hangs": []int{1, 1}, "everything": 1,
			}},
			"backends":  []any{backend, backend},
			"outcomes":  []any{map[string]any{"effect": "passes"}, outcome},
			"pairs":     []any{map[string]any{"backends": []int{0, 1}, "request": 0, "outcome": 1}},
			"pairCount": 1,
			"coldStart": map[string]any{
				"rounds": [][]string{{Evil}}, "stuck": []any{stuck}, "cycle": []any{edge},
				"exclusions": []any{map[string]any{"webhook": Evil, "namespace": Evil}}, "fewest": true,
			},
		},
	}
}

// HostileFindings returns the data of a page of findings in which every text of the user,
// and every source, is Evil.
func HostileFindings() *report.Page {
	finding := func(silenced string) map[string]any {
		return map[string]any{
			"id": Evil, "rule": "rule", "subject": Evil, "file": Evil, "position": Evil, "field": Evil, "message": Evil,
			"evidence": []string{Evil}, "silenced": silenced,
			"witness": map[string]any{
				"request": Evil, "does": Evil, "breaks": Evil, "down": map[string]string{Evil: Evil}, "effect": "refused",
				"seconds": 1, "message": Evil, "deadlineSeconds": 10, "tree": Evil, "replay": []string{Evil}, "others": 1,
			},
		}
	}
	return &report.Page{
		Title: Evil, Summary: []report.Section{{Heading: Evil, Text: Evil, Lines: []string{Evil}}},
		Data: map[string]any{
			"rules": []any{map[string]any{
				"id": "rule", "level": "error", "title": Evil, "why": Evil, "fix": Evil,
				"sources": []string{Evil, "javascript:alert(1)", "https://example.com/" + Evil},
			}},
			"findings": []any{finding(""), finding(Evil)},
			"skipped":  []any{map[string]any{"rule": "rule", "missing": []string{Evil}}},
			"checked":  1,
		},
	}
}

// HostileDiff returns the data of a page of changes in which every text of the user is
// Evil.
func HostileDiff() *report.Page {
	change := map[string]any{"text": Evil, "before": Evil, "after": Evil}
	cause := map[string]any{
		"title": Evil, "level": "verdict", "changes": []any{change, change}, "changeCount": 60, "also": []any{change},
		"differences": map[string]int{"requests": 40, "verdict": 40, "undecided": 1, "assumed": 1},
		"effects":     []any{map[string]any{"text": Evil, "kind": Evil, "level": "verdict", "requests": 40}},
		"effectCount": 2, "ids": []string{Evil}, "id": Evil, "request": Evil, "argument": Evil,
		"items": []any{map[string]any{"name": Evil, "before": Evil, "after": Evil}}, "itemCount": 2,
	}
	return &report.Page{
		Title: Evil, Summary: []report.Section{{Heading: Evil, Text: Evil, Lines: []string{Evil}}},
		Data: map[string]any{
			"headline": Evil, "limits": []string{Evil}, "incomplete": true, "requests": 80,
			"differences": map[string]int{"requests": 80, "verdict": 80},
			"causes":      []any{cause, cause}, "causeCount": 3,
			"withoutEffect": []any{change}, "withoutEffectCount": 2,
			"setAside": []any{map[string]any{"what": Evil, "requests": 1, "id": Evil}},
			"unread":   []string{Evil}, "explain": []string{Evil, Evil},
		},
	}
}

// HostileAudit returns the data of a page of audit logs in which every text of the user is
// Evil.
func HostileAudit() *report.Page {
	moment := map[string]any{"time": "2026-11-26T10:00:00Z", "auditID": Evil}
	undoer := map[string]any{"name": Evil, "times": 2}
	loop := map[string]any{
		"kind": "undone", "title": Evil, "where": Evil, "webhook": Evil, "undoers": []any{undoer, undoer},
		"paths": []string{Evil, Evil}, "times": 4, "rate": Evil, "first": moment, "last": moment,
		"show": Evil, "request": Evil,
	}
	hook := map[string]any{
		"configuration": Evil, "webhook": Evil, "phase": "mutating", "calls": 1, "changes": 0, "denials": 0,
		"again": 1, "againChanges": 0, "failedOpen": 1, "failedClosed": 1, "slow": 1, "slowestNanoseconds": 1e9,
	}
	writers := []any{map[string]any{"user": Evil, "manager": Evil, "writes": 2}, map[string]any{"webhook": Evil, "writes": 1}}
	rows := func(all ...any) map[string]any { return map[string]any{"rows": all, "count": 9} }
	return &report.Page{
		Title: Evil, Summary: []report.Section{{Heading: Evil, Text: Evil, Lines: []string{Evil}}},
		Data: map[string]any{
			"headline": Evil, "first": Evil, "last": Evil, "events": 9, "files": 1, "requests": 8, "denied": 1,
			"unread": []string{Evil}, "broken": 2, "remarks": []string{Evil}, "loops": []any{loop, loop},
			"webhooks":    rows(hook, hook),
			"latency":     []any{map[string]any{"phase": Evil, "requests": 1, "longestNanoseconds": 1, "totalNanoseconds": 1}},
			"policies":    rows(map[string]any{"policy": Evil, "binding": Evil, "denials": 1, "failures": 1, "warned": 1}),
			"annotations": rows(map[string]any{"owner": Evil, "key": Evil, "events": 1}),
			"objects":     rows(map[string]any{"resource": Evil, "namespace": Evil, "name": Evil, "writes": 3, "writers": writers, "others": 1}),
			"writers":     rows(writers...),
		},
	}
}
