package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report"
)

// maxHistory limits the explanations of a page, in bytes of JSON, the latest ones first.
const maxHistory = 32 << 20

// page prints the requests as a page.
func (v *view) page(cmd *cobra.Command, entries []history.Entry, dropped int) error {
	fitting, err := lastFitting(entries)
	if err != nil {
		return err
	}
	dropped += len(entries) - len(fitting)
	items, events := []*explain.Explanation{}, []report.Event{}
	for i := range fitting {
		items = append(items, fitting[i].Explanation)
		text := message.Escaped(strings.Join(label(&fitting[i])[1:], ", "))
		events = append(events, report.Event{Time: shownTime(fitting[i].Time), Text: text})
	}
	if dropped > 0 {
		events[0].Text += fmt.Sprintf(" (%s not on this page)", message.Count(dropped, "earlier request"))
	}
	document := &explain.Document{Items: items}
	document.APIVersion, document.Kind = explain.APIVersion, explain.Kind
	var out bytes.Buffer
	err = report.WriteHistory(&out, &report.History{
		Document: document, Events: events,
		Title: fmt.Sprintf("gatehouse audit: %s of %s", message.Count(len(items), "request"), v.object),
	})
	if err != nil {
		return err
	}
	return command.Write(cmd.OutOrStdout(), out.Bytes())
}

// lastFitting returns the last entries that fit on a page, at least one.
func lastFitting(entries []history.Entry) ([]history.Entry, error) {
	size := 0
	for i := range slices.Backward(entries) {
		text, err := json.Marshal(entries[i].Explanation)
		if err != nil {
			return nil, err
		}
		if size += len(text); size > maxHistory && i < len(entries)-1 {
			return entries[i+1:], nil
		}
	}
	return entries, nil
}
