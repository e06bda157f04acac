// The matrix: a row for each request, and two columns for each backend, in which it
// refuses connections or hangs. A cell opens its situation.

const states = ['refuses', 'hangs'];

// The cells of few backends have words; those of more have signs.
const small = matchMedia('(max-width: 700px)');
const isCrowded = (backends) => backends.size > (small.matches ? 1 : 5);

// Matrix finds situations by their addresses.
class Matrix {
  constructor(data) {
    this.data = data;
    const all = list(data.requests);
    this.columns = list(data.backends).flatMap((backend, i) => states.map((state) => ({ backend, i, state })));
    this.rows = all.map((request) => ({
      request, text: `${request.id} ${request.does} ${request.title} ${request.user}`.toLowerCase(),
      cells: this.columns.map(({ backend, i, state }) => new Situation(data, request, request[state][i], [backend], `#${request.id}/${i}/${state}`)),
      everything: new Situation(data, request, request.everything, list(data.backends), `#${request.id}/all/hangs`),
    }));
    this.sums = this.columns.map((_, i) => sumOf(this.rows.map(({ cells }) => cells[i])));
    this.byAddress = new Map(this.rows.flatMap(({ cells, everything }) => [...cells, everything]).map((s) => [s.address, s]));
  }

  // troubled are the rows in which a situation of some backends is bad.
  troubled(row, backends) {
    return row.cells.some((s) => backends.has(s.down[0]) && s.trouble()) || (backends.size > 1 && row.everything.trouble());
  }
}

// sumOf counts what happens in some situations.
function sumOf(all) {
  const bad = all.filter((s) => s.trouble());
  const n = (effect) => bad.filter(({ outcome }) => outcome.effect === effect).length;
  return { bad: bad.length, n, longest: Math.max(0, ...bad.map(({ outcome }) => Number(outcome.seconds ?? 0))) };
}

function matrixSection(matrix) {
  const frame = el('div', { class: 'matrix-frame', tabindex: '-1' });
  const shown = el('p', { class: 'note', role: 'status' });
  const key = el('div');
  const filters = matrixFilters(matrix, () => {
    const backends = new Set(filters.backends());
    const rows = filters.rows(backends);
    shown.textContent = `${rows.length} of ${count(matrix.rows.length, 'request')}, ${backends.size} of ${count(matrix.data.backends.length, 'backend')}`;
    key.replaceChildren(legend(isCrowded(backends), rows));
    frame.replaceChildren(rows.length && backends.size ? matrixTable(matrix, rows, backends)
      : el('p', { class: 'nothing' }, 'Nothing fits the filters.'));
  });
  filters.changed();
  small.addEventListener('change', filters.changed);
  return [section('matrix', 'Requests and outages', 'Choose a cell for the reason; arrow keys move between cells.',
    el('div', { class: 'filters', role: 'search' }, filters.inputs, shown), key, frame), filters];
}

// legend says what the signs mean.
function legend(isNarrow, rows) {
  const isRefused = rows.some(({ request, everything }) => everything.data.outcomes[request.healthy].effect === 'refused');
  const entry = (sign, style, text) => el('li', {}, el('span', { class: `sign ${style}`, 'aria-hidden': 'true' }, sign), text);
  return el('ul', { class: 'key', 'aria-label': 'Signs' },
    isNarrow && [entry('✕', 'bad', 'refused'), entry('lost', 'warn', 'mutation lost'), entry('+5', 'wait', 'succeeds after 5 s')],
    !isNarrow && entry('mutation lost', 'warn', 'succeeds without the change of a webhook'),
    entry('✓', '', 'goes through'), entry('·', '', 'not sent there'),
    isRefused && entry('–', '', 'refused anyway'));
}

// matrixFilters are two texts and a box; only what has trouble is shown at first.
function matrixFilters(matrix, changed) {
  const search = (label) => el('input', { type: 'search', placeholder: `${label}…`, 'aria-label': `Filter by ${label.toLowerCase()}`, oninput: changed });
  const [request, backend] = [search('Request'), search('Backend')];
  const group = choice('All groups', 'Filter by group', matrix.rows.map((row) => row.request.group), changed);
  const only = el('input', { type: 'checkbox', id: 'only-trouble', onchange: changed });
  const everyBackend = new Set(matrix.data.backends);
  only.checked = matrix.rows.some((row) => matrix.troubled(row, everyBackend));
  const has = (input, text) => text.toLowerCase().includes(input.value.trim().toLowerCase());
  const isBad = (b) => matrix.columns.some(({ backend }, i) => backend === b && matrix.sums[i].bad > 0);
  return {
    inputs: [request, backend, group, el('label', { class: 'box' }, only, 'only trouble')],
    changed,
    backends: () => matrix.data.backends.filter((b) => has(backend, b.name) && (!only.checked || isBad(b))),
    rows: (backends) => matrix.rows.filter((row) => has(request, row.text) && (!group.value || row.request.group === group.value)
      && (!only.checked || matrix.troubled(row, backends))),
    // choose shows one backend.
    choose(name) {
      backend.value = name;
      changed();
    },
  };
}

function matrixTable(matrix, rows, backends) {
  const columns = matrix.columns.filter(({ backend }) => backends.has(backend));
  const isNarrow = isCrowded(backends);
  const cell = (s, style) => {
    const signs = s.signs(isNarrow);
    const node = el('td', { role: 'gridcell', tabindex: '-1', class: `${style} ${s.tone()}`.trim(), 'aria-label': s.words() },
      signs.length > 1 ? signs.map((sign) => el('span', {}, sign)) : signs);
    situations.set(node, s);
    return node;
  };
  const row = (one) => el('tr', { role: 'row' }, requestHeader(one.request),
    matrix.columns.map(({ backend, state }, i) => backends.has(backend) && cell(one.cells[i], state)),
    backends.size > 1 && cell(one.everything, 'all'));
  const groups = Map.groupBy(rows, ({ request }) => request.group);
  const node = el('table', { role: 'grid', class: isNarrow ? 'matrix narrow' : 'matrix', 'aria-labelledby': 'matrix-heading' },
    matrixHead(columns, backends),
    [...groups].map(([name, some]) => el('tbody', { role: 'rowgroup' },
      el('tr', { role: 'row', class: 'group' }, el('th', { role: 'rowheader', scope: 'rowgroup', colspan: columns.length + 2 }, el('span', {}, name))),
      some.map(row))));
  return gridKeys(node);
}

// situations are those of the cells.
const situations = new WeakMap();

function requestHeader(request) {
  const deadline = Number(request.deadlineSeconds);
  return el('th', { role: 'rowheader', scope: 'row', class: 'request' }, el('span', { class: 'does' }, request.does),
    el('span', { class: 'of' }, el('code', {}, request.id), deadline < 34 && `, within ${brief(deadline)}`));
}

function matrixHead(columns, backends) {
  const all = backends.size > 1;
  const head = (attributes, text) => el('th', { role: 'columnheader', scope: 'col', ...attributes }, el('span', {}, text));
  return el('thead', { role: 'rowgroup' },
    el('tr', { role: 'row' }, head({ rowspan: '2', class: 'corner' }, 'Request'),
      [...backends].map((b) => head({ colspan: '2', scope: 'colgroup', class: 'backend' }, b.name)),
      all && head({ class: 'backend all' }, 'all backends')),
    el('tr', { role: 'row' }, columns.map(({ state }) => head({ class: `state ${state}` }, state)), all && head({ class: 'state all' }, 'hang')));
}

// gridKeys makes one tab stop of the cells: arrow keys, Home and End move, Enter and the
// space bar choose.
function gridKeys(grid) {
  const rows = [...grid.querySelectorAll('tbody tr:not(.group)')].map((tr) => [...tr.querySelectorAll('td')]);
  let current = rows[0][0];
  current.tabIndex = 0;
  const moves = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], Home: [0, -Infinity], End: [0, Infinity] };
  const within = (n, all) => Math.min(Math.max(n, 0), all.length - 1);
  grid.addEventListener('keydown', (event) => {
    const cell = event.target.closest('td');
    if (!cell || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') location.hash = situations.get(cell).address;
    else if (moves[event.key]) {
      const [down, right] = event.ctrlKey ? moves[event.key].map((n) => n * 1e6) : moves[event.key];
      const y = rows.findIndex((cells) => cells.includes(cell));
      const to = rows[within(y + down, rows)];
      to[within(rows[y].indexOf(cell) + right, to)].focus();
    } else return;
    event.preventDefault();
  });
  grid.addEventListener('focusin', (event) => {
    const cell = event.target.closest('td');
    if (!cell) return;
    current.tabIndex = -1;
    current = cell;
    current.tabIndex = 0;
  });
  grid.addEventListener('click', (event) => {
    const cell = event.target.closest('td');
    if (cell) location.hash = situations.get(cell).address;
  });
  return grid;
}
