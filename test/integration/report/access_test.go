package report

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
)

// pressable are the roles that need a name, because a person can do something
// with what has them, or has to find it.
func pressable() []string {
	return []string{"button", "link", "textbox", "searchbox", "combobox", "listbox", "option", "dialog", "table", "navigation", "region", "DisclosureTriangle"}
}

func nameEverything(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, several(), "")
	checkNames(v, "the overview", "link", "navigation", "table")
	v.follow("#item-8")
	v.see("#object")
	checkNames(v, "a request", "link", "button", "searchbox", "combobox", "listbox", "option", "table")
	v.click(`a.call[href="#item-8/call-2"]`)
	v.see("dialog[open]")
	checkNames(v, "a call", "dialog", "button", "link")
	want(v, "new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size === document.querySelectorAll('[id]').length", true)
}

// checkNames looks at the page as a screen reader does. The roles that are
// wanted have to be there, or the check would say nothing.
func checkNames(v *tab, where string, wanted ...string) {
	v.Helper()
	tree, err := chromedp.Call(v.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		v.Fatal(err)
	}
	for _, node := range tree.Nodes {
		role := textOf(node.Role)
		wanted = slices.DeleteFunc(wanted, func(w string) bool { return w == role })
		if !node.Ignored && slices.Contains(pressable(), role) && textOf(node.Name) == "" {
			v.Errorf("in %s there is a %s without a name (node %d)", where, role, node.BackendDOMNodeID)
		}
	}
	if len(wanted) > 0 {
		v.Errorf("in %s there is no %v", where, wanted)
	}
}

func textOf(value *accessibility.Value) string {
	var text string
	if value == nil || json.Unmarshal(value.Value, &text) != nil {
		return ""
	}
	return text
}

// contrasts finds texts whose contrast with what is behind them is below 4.5
// (WCAG AA). Colours are painted on a canvas to have them as numbers, whatever
// they are written in.
const contrasts = `(() => {
  const paint = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const painted = (...colors) => {
    for (const color of colors) { paint.fillStyle = color; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => (node ? [...behind(node.parentElement), getComputedStyle(node).backgroundColor] : ['white']);
  const bad = new Set();
  let seen = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || node.closest('.hidden, script, style, noscript') || !node.checkVisibility({ visibilityProperty: true })) continue;
    seen += 1;
    const layers = behind(node);
    const [a, b] = [luminance(painted(...layers)), luminance(painted(...layers, getComputedStyle(node).color))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) bad.add(contrast.toFixed(2) + ' ' + node.className + ': ' + texts.currentNode.data.slice(0, 40));
  }
  if (seen < 50) bad.add('only ' + seen + ' texts');
  return [...bad];
})()`

func contrastEverywhere(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, several(), "")
	for _, scheme := range []string{"light", "dark"} {
		v.do(prefers(scheme))
		for _, fragment := range []string{"#overview", "#item-8", "#item-8/call-2", "#item-8/call-6", "#item-8/skip-8"} {
			v.follow("" + fragment + "")
			v.see("#title")
			for _, problem := range evaluate[[]string](v, contrasts) {
				t.Errorf("%s, %s: %s", scheme, fragment, problem)
			}
		}
	}
}
