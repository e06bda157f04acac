package diff

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/gatehouse/internal/message"
)

// maxComment is what a comment on a pull request may have at most, in characters.
const maxComment = 65536

// markdownOf returns the document for a comment on a pull request: a table of the
// causes, and an example of each that can be unfolded. What is too long is left out,
// and the last line says so.
func markdownOf(d *Document) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "### Admission of %s\n\n%s\n", message.Count(d.Requests, "recorded request"),
		plain(sentence(d.summary())))
	for _, remark := range d.remarks() {
		fmt.Fprintf(&out, "\n%s\n", plain(sentence(remark)))
	}
	var parts []string
	if len(d.Causes) > 0 {
		fmt.Fprint(&out, "\n| | cause | requests | what happens |\n|---|---|---|---|\n")
	}
	for i := range d.Causes {
		parts = append(parts, d.Causes[i].row(i+1))
	}
	for i := range d.Causes {
		parts = append(parts, d.Causes[i].details(i+1))
	}
	if len(d.WithoutEffect) > 0 {
		parts = append(parts, d.unshown())
	}
	const reserve = 200
	size := utf8.RuneCount(out.Bytes())
	for i, part := range parts {
		if size += utf8.RuneCountInString(part); size > maxComment-reserve {
			fmt.Fprintf(&out, "\nThe report is too long for a comment: %s left out.\n",
				message.Count(len(parts)-i, "part")+" "+map[bool]string{true: "is", false: "are"}[len(parts)-i == 1])
			break
		}
		out.WriteString(part)
	}
	return out.Bytes()
}

// sentence begins a text with a capital letter, and ends it with a period.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// row returns the row of a cause in the table.
func (c *Cause) row(number int) string {
	var texts []string
	for i := range c.Changes {
		if i == maxChanges {
			texts = append(texts, fmt.Sprintf("%d more", len(c.Changes)-maxChanges))
			break
		}
		texts = append(texts, code(c.Changes[i].Text))
	}
	if len(texts) == 0 {
		texts = []string{plain(c.title())}
	}
	var effects []string
	for i, e := range c.Effects {
		if i == maxEffects {
			effects = append(effects, fmt.Sprintf("and %d more", len(c.Effects)-maxEffects))
			break
		}
		effects = append(effects, fmt.Sprintf("%d × %s", e.Requests, code(e.Text)))
	}
	return fmt.Sprintf("| %d | %s | %d | %s |\n", number, strings.Join(texts, "<br>together with "),
		c.Differences.Requests, strings.Join(effects, "<br>"))
}

// details returns the example of a cause.
func (c *Cause) details(number int) string {
	var out bytes.Buffer
	fmt.Fprintf(&out, "\n<details><summary>%d: an example</summary>\n\n%s, ID %s\n\n", number,
		code(c.Example.Request), code(c.Example.ID))
	for i := range c.Changes[:min(len(c.Changes), maxChanges)] {
		fmt.Fprintf(&out, "Changed in %s\n\n", code(c.Changes[i].at()))
	}
	for i := range c.Also {
		fmt.Fprintf(&out, "Undoing this alone has the same effect: %s\n\n", code(c.Also[i].Text))
	}
	fmt.Fprint(&out, "| | before | after |\n|---|---|---|\n")
	for i := range c.Example.Items {
		if i == maxItems {
			fmt.Fprintf(&out, "| and %d more | | |\n", len(c.Example.Items)-maxItems)
			break
		}
		item := &c.Example.Items[i]
		fmt.Fprintf(&out, "| %s | %s | %s |\n", code(nameOf(item)), code(before(item)), code(after(item)))
	}
	fmt.Fprint(&out, "\n</details>\n")
	return out.String()
}

// unshown lists the changes without effect.
func (d *Document) unshown() string {
	var out bytes.Buffer
	fmt.Fprintf(&out, "\n<details><summary>Changes that affect no request: %d</summary>\n\n",
		len(d.WithoutEffect))
	for i := range d.WithoutEffect {
		if i == maxChanges {
			fmt.Fprintf(&out, "- and %d more\n", len(d.WithoutEffect)-maxChanges)
			break
		}
		c := &d.WithoutEffect[i]
		fmt.Fprintf(&out, "- %s in %s\n", code(c.Text), code(c.at()))
	}
	fmt.Fprint(&out, "\n</details>\n")
	return out.String()
}

// code returns a text in which nothing is markup, a mention or a link, also within a
// table.
func code(text string) string {
	text = strings.Join(strings.Fields(shown(text)), " ")
	text = strings.NewReplacer("`", "'", "|", `\|`).Replace(text)
	return "`" + text + "`"
}

// plain escapes what may be markup, a mention or a link.
func plain(text string) string {
	return strings.NewReplacer("`", "'", "|", `\|`, "<", "&lt;", ">", "&gt;", "@", "&#64;", "[", `\[`,
		"*", `\*`, "_", `\_`).Replace(strings.Join(strings.Fields(shown(text)), " "))
}
