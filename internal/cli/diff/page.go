package diff

import (
	"cmp"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/whatif"
)

const (
	// maxText limits the texts of the page, in characters.
	maxText = 1000
	// maxPageChanges limits the changes without effect, and maxPageItems the effects of a
	// cause and the differences of its example.
	maxPageChanges = 1000
	maxPageItems   = 50
)

// pageCause is a cause, with its example.
type pageCause struct {
	// Title is the change, or says that there are several, or none.
	Title string `json:"title"`
	// Level is that of the most serious differences.
	Level       whatif.Level `json:"level"`
	Changes     []pageChange `json:"changes"`
	ChangeCount int          `json:"changeCount"`
	Also        []pageChange `json:"also,omitempty"`
	Differences Counts       `json:"differences"`
	Effects     []pageEffect `json:"effects"`
	EffectCount int          `json:"effectCount"`
	// IDs are those of other requests than the example.
	IDs     []string `json:"ids,omitempty"`
	ID      string   `json:"id"`
	Request string   `json:"request"`
	// Argument is the ID as a shell takes it.
	Argument string `json:"argument"`
	// Items are absent if there is no room for the example.
	Items     []pageItem `json:"items,omitempty"`
	ItemCount int        `json:"itemCount"`
}

// clipped cuts a text that is too long for the page.
func clipped(text string) string { return message.Cut(text, maxText) }

type pageChange struct {
	Text string `json:"text"`
	// Before and After are positions, such as "webhooks.yaml: document 2 (line 12)".
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

type pageEffect struct {
	Text     string       `json:"text"`
	Kind     string       `json:"kind"`
	Level    whatif.Level `json:"level"`
	Requests int          `json:"requests"`
}

// pageItem is a difference of an example.
type pageItem struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
}

type pageUnstable struct {
	What     string `json:"what"`
	Requests int    `json:"requests"`
	ID       string `json:"id"`
}

func newPageCause(c *Cause) pageCause {
	p := pageCause{
		Title: clipped(c.title()), Level: c.level(),
		Changes: newPageChanges(c.Changes, maxChanges), ChangeCount: len(c.Changes),
		Also: newPageChanges(c.Also, maxChanges), Differences: c.Differences,
		Effects: []pageEffect{}, EffectCount: len(c.Effects),
		ID: c.Example.ID, Argument: message.Quoted(c.Example.ID),
		Request: clipped(c.Example.Request), ItemCount: len(c.Example.Items),
	}
	for _, e := range c.Effects[:min(len(c.Effects), maxPageItems)] {
		p.Effects = append(p.Effects, pageEffect{clipped(e.Text), e.Kind, e.Level, e.Requests})
	}
	for _, id := range c.IDs {
		if id != c.Example.ID {
			p.IDs = append(p.IDs, clipped(id))
		}
	}
	return p
}

func newPageItems(items []whatif.Item) []pageItem {
	var all []pageItem
	for i := range items[:min(len(items), maxPageItems)] {
		item := &items[i]
		all = append(all, pageItem{
			clipped(nameOf(item)), clipped(valueBefore(item)), clipped(valueAfter(item)),
		})
	}
	return all
}

// newPageChanges returns some changes, the first ones.
func newPageChanges(changes []Change, most int) []pageChange {
	all := []pageChange{}
	for i := range changes[:min(len(changes), most)] {
		c := &changes[i]
		one := pageChange{Text: clipped(c.Text)}
		if c.Before != nil {
			one.Before = c.Before.String()
		}
		if c.After != nil {
			one.After = c.After.String()
		}
		all = append(all, one)
	}
	return all
}

func (c *pageChange) at() string { return cmp.Or(c.After, c.Before) }
