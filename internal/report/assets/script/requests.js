// The requests that a server keeps, latest first. The page asks for the list again and
// again; a server whose list is the same says no more than that.

const pollInterval = 1000; // in milliseconds

const requestColumns = [['Time', 'when'], ['Request', 'request'], ['Verdict'], ['User'], ['Message'], ['Calls', 'number'], ['Took', 'number']];

function follow() {
  const body = table('Requests and their results', requestColumns, [], { class: 'cards' });
  const shown = el('p', { class: 'note', role: 'status' }, 'Waiting for the server…');
  const rows = requestRows(body.tBodies[0], shown);
  const text = el('input', { type: 'search', placeholder: 'Name, user, message…', 'aria-label': 'Filter by text', oninput: () => rows.filter() });
  const verdict = el('select', { 'aria-label': 'Filter by verdict', onchange: () => rows.filter() },
    el('option', { value: '' }, 'All verdicts'), verdicts.map(([name]) => el('option', { value: name }, name)));
  rows.match = ({ item, text: haystack }) => haystack.includes(text.value.trim().toLowerCase())
    && (!verdict.value || verdictOf(item)[0] === verdict.value);
  roving(body, 'a.request');
  document.getElementById('app').append(...banner('Requests'), el('div', { class: 'column-alone' },
    el('main', { id: 'main', tabindex: '-1' },
      el('header', { class: 'verdict' }, el('h1', { id: 'title', tabindex: '-1' }, 'Requests that webhooks or policies received, or that were denied')),
      section('requests', 'Latest first', null, el('div', { class: 'filters', role: 'search' }, text, verdict, shown), body))));
  poll(rows);
}

// poll asks for the list, and again after each answer, but not while the page is hidden.
async function poll(rows) {
  let tag = '';
  for (;;) {
    try {
      const headers = { Accept: 'application/json', ...(tag && { 'If-None-Match': tag }) };
      const response = await fetch(location.pathname, { headers, cache: 'no-store' });
      if (response.ok) {
        rows.replace(list((await response.json()).items));
        tag = response.headers.get('ETag') ?? '';
      } else if (response.status !== 304) throw new Error(`it answers ${response.status}`);
      rows.problem('');
    } catch (problem) {
      tag = '';
      rows.problem(`The server cannot be asked for new requests: ${problem.message}`);
    }
    await new Promise((done) => { setTimeout(done, pollInterval); });
    while (document.hidden) await new Promise((done) => { document.addEventListener('visibilitychange', done, { once: true }); });
  }
}

// requestRows are the rows of the table, which stay where they are while others come and
// go: one of them may have the focus.
function requestRows(into, shown) {
  let entries = new Map();
  let trouble = '';
  const rows = {
    match: () => true,
    replace(items) {
      const next = items.map((item) => [`${item.id} ${item.time}`, item]);
      entries = new Map(next.map(([key, item]) => [key, entries.get(key) ?? requestEntry(item)]));
      const wanted = [...entries.values()].map(({ row }) => row);
      for (const row of [...into.rows].filter((old) => !wanted.includes(old))) row.remove();
      wanted.forEach((row, i) => into.rows[i] !== row && into.insertBefore(row, into.rows[i] ?? null));
      into.dispatchEvent(new Event(refilled, { bubbles: true }));
      rows.filter();
    },
    filter() {
      const some = [...entries.values()].filter((entry) => {
        entry.row.hidden = !rows.match(entry);
        return !entry.row.hidden;
      });
      say(trouble || `${some.length} of ${entries.size} shown`);
    },
    problem(text) {
      trouble = text;
      rows.filter();
    },
  };
  // A text that stays the same is not to be read out again.
  const say = (text) => {
    if (shown.textContent !== text) shown.textContent = text;
  };
  return rows;
}

function requestEntry(item) {
  const cells = requestCells(item);
  const row = tableRow(requestColumns, cells);
  return { item, row, text: row.textContent.toLowerCase() };
}

const verdicts = [['admitted', 'good'], ['denied', 'bad'], ['ended between the phases', 'warn']];

function verdictOf({ allowed, status }) {
  return verdicts[allowed ? 0 : status ? 1 : 2];
}

function requestCells(item) {
  const { request = {}, status } = item;
  return [
    el('time', { datetime: item.time }, new Date(item.time).toLocaleTimeString()),
    el('a', { class: 'request', href: `${location.pathname}/${item.id}` }, head(requestTitle(request), 160), request.dryRun && ' (dry run)'),
    chip(...verdictOf(item)), cut(request.user?.name ?? '', 80), cut(status?.message ?? '', 200), item.calls, seconds(item.seconds),
  ];
}

follow();
