// The object in the end, and who wrote which of its fields.

const linesAtOnce = 600;

function fields(item) {
  const e = item.explanation;
  if (e.object === undefined || e.object === null) return section('object', 'Object', null, el('p', {}, 'There is none.'));
  const known = list(e.fields);
  const heading = e.allowed ? 'Final object, and who wrote it' : 'Last known object, and who wrote it';
  if (known.length === 0) {
    return section('object', 'Object', 'Who wrote which field was not traced.', block(yaml(e.object), 'The object'));
  }
  const view = new Blame(item, objectLines(e.object, known));
  return section('object', heading, 'Arrow keys move between lines; a line tells who wrote it, and over whom.', view.legend(), view.element());
}

// Blame is the view of the object's lines with a legend that filters them and an
// inspector that tells about the line that has the focus or is pointed at.
class Blame {
  constructor(item, lines) {
    this.item = item;
    this.lines = lines;
    this.fights = byPath(item.explanation.fights);
    this.writers = new Writers(list(item.explanation.fields));
    this.chosen = new Set();
    this.inspector = el('aside', { class: 'inspector', 'aria-label': 'About the line', 'aria-live': 'polite' });
    this.box = el('div', { class: 'lines', role: 'listbox', 'aria-label': 'Lines of the object' });
    this.byRow = new WeakMap();
  }

  // legend is a button for every writer, and ones for what was fought over or
  // overwritten. Those that are pressed say which lines stand out.
  legend() {
    const contested = this.lines.filter((line) => this.isFought(line)).length;
    const overwritten = this.lines.filter(isOverwritten).length;
    const writers = [...this.writers.all.values()].sort((a, b) => b.lines - a.lines);
    const entries = writers.map(({ key, name, color, lines, writer }) => {
      const isBy = (line) => line.leaf && writerKey(line.writer) === key;
      return this.button(name, lines, color, writer?.configuration, isBy);
    });
    if (overwritten) {
      const title = 'fields that had another value before';
      entries.push(this.button('overwritten', overwritten, 'mark-over', title, isOverwritten));
    }
    if (contested) {
      const title = 'fields that webhooks wrote in turns';
      entries.push(this.button('overwritten in turns', contested, 'mark-fight', title, (line) => this.isFought(line)));
    }
    return el('div', { class: 'legend', role: 'group', 'aria-label': 'Show only what was written by' }, entries);
  }

  button(name, n, style, title, matches) {
    const button = el('button', { type: 'button', 'aria-pressed': 'false', title, class: style },
      el('span', { class: 'swatch', 'aria-hidden': 'true' }), el('span', { class: 'name' }, name), ' ', note(n));
    button.addEventListener('click', () => {
      const pressed = !this.chosen.delete(matches);
      if (pressed) this.chosen.add(matches);
      button.setAttribute('aria-pressed', String(pressed));
      this.fill();
    });
    return button;
  }

  isFought(line) {
    return line.leaf && this.fights.has(keyOf(line.path));
  }

  element() {
    this.fill();
    roving(this.box, '[role=option]', (row) => this.select(row));
    this.box.addEventListener('mouseover', (event) => {
      const row = event.target.closest('[role=option]');
      if (row) this.inspect(this.byRow.get(row));
    });
    this.box.addEventListener('mouseleave', () => this.inspect(this.byRow.get(this.box.querySelector('[aria-selected=true]'))));
    this.box.addEventListener('click', (event) => event.target.closest('[role=option]')?.focus());
    return el('div', { class: 'blame' }, this.frame, this.inspector);
  }

  // fill shows the lines that the legend leaves. The lines above them stay, so that one
  // sees where they are.
  fill() {
    const some = this.chosen.size === 0 ? this.lines : withParents(this.lines, (line) => [...this.chosen].some((matches) => matches(line)));
    this.box.replaceChildren();
    let previous;
    const row = (line) => {
      const node = this.row(line, writerKey(line.writer) !== writerKey(previous?.writer) || Boolean(line.mixed) !== Boolean(previous?.mixed));
      previous = line;
      return node;
    };
    const frame = chunked(this.box, some, row, linesAtOnce);
    const wrapped = el('div', { class: 'frame' }, frame);
    this.frame?.replaceWith(wrapped);
    this.frame = wrapped;
    if (this.box.firstChild) this.box.firstChild.tabIndex = 0;
    this.inspect(undefined);
  }

  row(line, isFirst) {
    const named = line.writer ? writerName(line.writer) : '';
    const style = ['line', this.writers.color(line.writer), isFirst && 'first'].filter(Boolean).join(' ');
    const node = el('div', { role: 'option', tabindex: '-1', 'aria-selected': 'false', class: style },
      el('span', { class: 'writer', title: named || null }, named && (isFirst ? named : hidden(named))),
      el('code', {}, el('span', { class: 'lead' }, line.lead.trimEnd()), line.leaf && lineValue(line)),
      el('span', { class: 'marks' },
        this.isFought(line) && chip('overwritten in turns', 'bad'),
        isOverwritten(line) && !this.isFought(line) && chip('overwritten', 'warn')));
    node.style.setProperty('--depth', line.depth);
    this.byRow.set(node, line);
    return node;
  }

  select(row) {
    this.box.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    row.setAttribute('aria-selected', 'true');
    this.inspect(this.byRow.get(row));
  }

  inspect(line) {
    if (line && line === this.inspected) return;
    this.inspected = line;
    const nothing = [el('p', { class: 'note' }, 'Point at a line, or move to it, to see who wrote it.')];
    this.inspector.replaceChildren(...(line ? about(this.item, line, this.fights) : nothing));
  }
}

// lineValue is the value on a line; of a long one as much as fits, for the inspector
// has all of it.
function lineValue(line) {
  return [
    line.lead && ' ', el('span', { class: 'value' }, head(line.text, longest)), line.text.length > longest && '…',
    isOverwritten(line) && was(line),
  ];
}

function isOverwritten(line) {
  return line.leaf && list(line.field?.earlier).length > 0;
}

// withParents keeps the lines that match and the lines that lead to them.
function withParents(all, matches) {
  const kept = new Set();
  const open = [];
  all.forEach((line, i) => {
    while (open.length && all[open.at(-1)].end <= i) open.pop();
    if (matches(line)) [...open, i].forEach((at) => kept.add(at));
    if (!line.leaf) open.push(i);
  });
  return all.filter((_, i) => kept.has(i));
}
