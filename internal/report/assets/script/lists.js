// Tables, lists of terms, and parts with a heading.

// table has columns of [label, class] and rows of cells. The roles are spelled out
// because narrow screens show the rows as cards, which would take them away; the labels
// then stand beside the cells.
function table(caption, columns, rows, attributes = {}) {
  const header = columns.map(([label, style]) => el('th', { scope: 'col', role: 'columnheader', class: style }, label));
  return el('table', { role: 'table', ...attributes },
    el('caption', { class: 'hidden' }, caption),
    el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, header)),
    el('tbody', { role: 'rowgroup' }, rows.map((cells) => tableRow(columns, cells))));
}

function tableRow(columns, cells, attributes = {}) {
  return el('tr', { role: 'row', ...attributes }, cells.map((cell, i) => {
    const [label, style] = columns[i];
    const empty = ![cell].flat(Infinity).some(isContent);
    return el('td', { role: 'cell', class: [style, empty && 'empty'].filter(Boolean).join(' ') || null, 'data-label': label }, el('div', {}, cell));
  }));
}

// refill replaces the rows of a table's body, the first ones at once and the rest on
// demand.
function refill(into, entries, render, size = 250) {
  into.replaceChildren(...entries.slice(0, size).map((entry) => render(entry)));
  if (entries.length > size) {
    const more = showMore(`Show the other ${entries.length - size} of ${entries.length}`, () => {
      refill(into, entries, render, Infinity);
      into.rows[size].querySelector('a, button')?.focus();
    });
    into.append(el('tr', { role: 'row' }, el('td', { role: 'cell', colspan: into.rows[0].cells.length }, more)));
  }
  into.dispatchEvent(new Event(refilled, { bubbles: true }));
}

// terms is a list of terms and what they mean, without those that mean nothing.
function terms(pairs, attributes = {}) {
  const said = pairs.filter(([, value]) => [value].flat(Infinity).some(isContent));
  return el('dl', attributes, said.map(([term, value]) => el('div', {}, el('dt', {}, term), el('dd', {}, value))));
}

// bar is a horizontal bar of a part of the whole.
function bar(part, whole, style = '') {
  const fill = el('span', { class: `fill ${style}` });
  fill.style.width = `${whole > 0 ? Math.max((100 * part) / whole, 0.5) : 0}%`;
  return el('span', { class: 'bar', 'aria-hidden': 'true' }, fill);
}

// webhookName is a webhook with the configuration that it is of.
function webhookName(webhook) {
  return [
    el('span', { class: 'name' }, head(webhook.name ?? '', longest)),
    el('span', { class: 'of' }, head(webhook.configuration ?? '', longest), webhook.static && ' (static)'),
  ];
}

function part(heading, ...children) {
  return el('section', {}, el('h3', {}, heading), children);
}

// choice is a select of the values that there are, and how often.
function choice(all, label, values, changed) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return el('select', { 'aria-label': label, onchange: changed },
    el('option', { value: '' }, all),
    [...counts].map(([value, n]) => el('option', { value }, `${value} (${n})`)));
}
