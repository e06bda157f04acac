// The page of audit logs. The address may name a loop: #loop-3.

// loopsShown is the number of loops that are shown at once.
const loopsShown = 40;

function auditPage(data) {
  const loops = list(data.loops).map((loop, i) => ({ loop, number: i + 1, anchor: `loop-${i + 1}`, words: loopWords(loop) }));
  const tables = [webhookTable, policyTable, objectTable, writerTable, annotationTable]
    .map((make) => make(data)).filter(({ total }) => total > 0);
  const shown = el('p', { class: 'note', role: 'status' });
  const content = el('div');
  const loopSection = loops.length > 0 && section('loops', 'Loops', 'Webhooks whose changes are repeatedly undone.', content);
  const filters = auditFilters(loops, () => {
    const some = loops.filter(filters.loop);
    const named = some.findIndex(({ anchor }) => `#${anchor}` === location.hash);
    content.replaceChildren(chunked(el('div'), some, (one) => attempt(`Loop ${one.number}`, () => loopArticle(one)), Math.max(loopsShown, named + 1)));
    if (loopSection) loopSection.hidden = some.length === 0;
    const rows = tables.reduce((sum, one) => sum + one.fill(filters.row), 0);
    const total = tables.reduce((sum, one) => sum + one.total, 0);
    shown.textContent = `${some.length.toLocaleString('en')} of ${count(loops.length, 'loop')}, ${rows.toLocaleString('en')} of ${count(total, 'row')} shown`;
  });
  const empty = loops.length + tables.length === 0;
  document.getElementById('app').append(...banner('Audit logs'), el('div', { class: 'column-alone' },
    el('main', { id: 'main', tabindex: '-1' }, auditHead(data),
      !empty && el('div', { class: 'filters', role: 'search' }, filters.inputs, shown),
      loopSection, tables.map(({ node }) => node), attempt('The latency', () => latency(data)), attempt('What was not read', () => unread(data)))));
  filters.changed();
  const target = () => {
    const name = location.hash.slice(1);
    if (/^loop-/.test(name) && !document.getElementById(name)) filters.changed(); // it may be behind the first ones
    document.getElementById(name)?.scrollIntoView();
  };
  addEventListener('hashchange', target);
  preparePrinting(() => null);
  target();
}

function auditHead(data) {
  const hooks = list(data.webhooks?.rows);
  const sum = (key) => hooks.reduce((all, hook) => all + Number(hook[key] ?? 0), 0);
  const figure = (n, one, many, style) => el('li', { class: n ? style : null }, el('b', {}, Number(n ?? 0).toLocaleString('en')), ' ', Number(n) === 1 ? one : many);
  const when = data.first && [`From ${data.first} to ${data.last}, in ${count(Number(data.files), 'file')}.`];
  return el('header', { class: 'verdict' },
    el('h1', { id: 'title', tabindex: '-1' }, capital(head(data.headline ?? 'nothing was read', longest))),
    when && el('p', { class: 'note lead' }, when),
    el('ul', { class: 'figures' },
      figure(data.events, 'event', 'events'), figure(data.requests, 'request examined', 'requests examined'),
      figure(list(data.loops).length, 'loop', 'loops', 'bad'), figure(data.denied, 'denied', 'denied', 'warn'),
      figure(sum('failedOpen'), 'failed open', 'failed open', 'warn'), figure(sum('failedClosed'), 'failed closed', 'failed closed', 'bad'),
      data.broken > 0 && figure(data.broken, 'part not read', 'parts not read', 'bad')),
    list(data.remarks).length > 0 && el('div', { class: 'remarks warn' }, el('h2', {}, 'Not in the log'),
      el('ul', {}, data.remarks.map((text) => el('li', {}, cut(text))))));
}

// auditFilters are a text, which rows and loops must have, and a kind of loop.
function auditFilters(loops, changed) {
  const text = el('input', { type: 'search', placeholder: 'Webhook, object, user…', 'aria-label': 'Filter by text', oninput: changed });
  const kind = choice('All loops', 'Filter by kind of loop', loops.map(({ loop }) => loop.kind), changed);
  const row = ({ words }) => words.includes(text.value.trim().toLowerCase());
  return {
    inputs: [text, loops.length > 0 && kind],
    changed,
    row,
    loop: (one) => row(one) && (!kind.value || one.loop.kind === kind.value),
  };
}

function loopWords({ title, where, webhook, undoers, paths, first, last, kind }) {
  const names = list(undoers).map(({ name }) => name);
  return [title, where, webhook, kind, first?.auditID, last?.auditID, ...names, ...list(paths)].filter(Boolean).join('\n').toLowerCase();
}

function loopArticle({ loop, number, anchor }) {
  const { title, where, paths, times, rate, first, last, undoers, show, request, kind } = loop;
  const moment = (at) => at && [el('time', { datetime: at.time }, at.time), ', audit ID ', el('code', {}, cut(at.auditID ?? '', 100))];
  return el('article', { id: anchor, class: `rule ${kind === 'undone' ? 'bad' : 'warn'}`, 'aria-labelledby': `${anchor}-heading` },
    el('h3', { id: `${anchor}-heading` }, el('a', { href: `#${anchor}` }, `${number}. `, cut(capital(title ?? '')))),
    terms([
      ['In', cut(where ?? '')],
      ['At', list(paths).map((path, i) => [i > 0 && ', ', el('code', {}, cut(path))])],
      ['How often', `${count(Number(times), 'time')}, ${rate}`], ['First', moment(first)], ['Last', moment(last)],
      ['Undone by', list(undoers).length > 1 && shares(undoers, ({ times: n }) => Number(n), ({ name }) => name)],
    ], { class: 'long' }),
    show && el('div', { class: 'show' }, el('h4', {}, 'What happened to the object'), block(show, 'The command that shows what happened')),
    request && fold('A request for gatehouse run that repeats one turn', () => block(request, 'A request that repeats the loop')));
}

// shares are names with their parts of the whole.
function shares(all, number, name) {
  const whole = all.reduce((sum, one) => sum + number(one), 0);
  return chunked(el('ul', { class: 'shares' }), all, (one) => el('li', {},
    el('span', { class: 'number' }, number(one)), bar(number(one), whole), el('span', {}, cut(name(one)))), 10);
}

// auditTable is a table of rows that a filter may hide, with a section around it. What it
// may be sorted by are names and functions.
function auditTable({ id, heading, note: said, columns, rows, words, cells, orders = [] }) {
  const all = list(rows?.rows).map((row) => ({ row, words: words(row).toLowerCase() }));
  const body = table(heading, columns, [], { class: `cards log-${id}` });
  let match = () => true;
  const fill = () => {
    const order = orders.find(([name]) => name === sort.value)?.[1];
    const some = all.filter(match);
    if (order) some.sort((a, b) => order(b.row) - order(a.row));
    refill(body.tBodies[0], some, ({ row }) => tableRow(columns, cells(row)), 100);
    node.hidden = some.length === 0;
    return some.length;
  };
  const sort = el('select', { 'aria-label': `Sort the ${heading.toLowerCase()}`, onchange: fill }, orders.map(([name]) => el('option', { value: name }, `sorted by ${name}`)));
  const more = Number(rows?.count ?? 0) - all.length;
  const node = section(id, heading, said, orders.length > 0 && all.length > 1 && el('div', { class: 'filters' }, sort), body,
    more > 0 && el('p', { class: 'note' }, `${count(more, 'more row')} ${more === 1 ? 'is' : 'are'} not on this page.`));
  return {
    node,
    total: all.length,
    fill(by) {
      match = by;
      return fill();
    },
  };
}

const hookColumns = [['Webhook', 'webhook'], ['Phase', 'state'], ['Calls', 'number'], ['Changes', 'number'], ['In round 1', 'number'], ['Changes in round 1', 'number'],
  ['Denied', 'number'], ['Failed open', 'number'], ['Failed closed', 'number'], ['Slow', 'number'], ['Slowest', 'number']];

function webhookTable(data) {
  const by = (key) => (hook) => Number(hook[key] ?? 0);
  return auditTable({
    id: 'webhooks', heading: 'Webhooks', note: 'In round 1 a webhook is called again, because another one changed the object.',
    columns: hookColumns, rows: data.webhooks, cells: hookCells,
    words: ({ configuration, webhook, phase }) => `${configuration ?? ''}/${webhook} ${phase ?? ''}`,
    orders: [['changes', by('changes')], ['calls', by('calls')], ['denials', by('denials')], ['failures', (hook) => by('failedOpen')(hook) + by('failedClosed')(hook)],
      ['slowest', by('slowestNanoseconds')]],
  });
}

function hookCells(hook) {
  const { phase, calls, changes, denials, again, againChanges, failedOpen, failedClosed, slow, slowestNanoseconds } = hook;
  const mutates = phase === 'mutating';
  const idle = mutates && Number(changes) + Number(denials) === 0;
  const some = (n, tone) => Number(n) > 0 && el('span', { class: tone }, n);
  return [
    [webhookName({ name: hook.webhook, configuration: hook.configuration }), idle && note('never changed or denied anything')], phase ?? '',
    mutates ? calls : '?', mutates ? changes : '', mutates && some(again, ''), mutates && some(againChanges, ''),
    some(denials, 'warn'), some(failedOpen, 'warn'), some(failedClosed, 'bad'), some(slow, ''), Number(slowestNanoseconds) > 0 && brief(Number(slowestNanoseconds) / 1e9),
  ];
}

function policyTable(data) {
  return auditTable({
    id: 'policies', heading: 'Policies', note: 'Audited are the failed validations that the action Audit reports.',
    columns: [['Policy', 'webhook'], ['Binding'], ['Denied', 'number'], ['Audited', 'number'], ['Warned', 'number']],
    rows: data.policies, words: ({ policy, binding }) => `${policy} ${binding ?? ''}`,
    cells: ({ policy, binding, denials, failures, warned }) => [el('span', { class: 'name' }, cut(policy)), cut(binding ?? ''), denials, failures, warned],
  });
}

function writerTitle({ user, manager, webhook }) {
  if (webhook) return `webhook ${webhook}`;
  return manager ? `${user} (${manager})` : user ?? '';
}

function objectTable(data) {
  const name = ({ namespace, name: own }) => [namespace, own].filter(Boolean).join('/');
  return auditTable({
    id: 'objects', heading: 'Objects', note: 'Those with the most writes, and who wrote them.',
    columns: [['Object', 'webhook'], ['Writes', 'number'], ['Writers']], rows: data.objects,
    words: (object) => [object.resource, name(object), ...list(object.writers).map(writerTitle)].join('\n'),
    cells: (object) => [
      [el('span', { class: 'name' }, cut(name(object))), el('span', { class: 'of' }, cut(object.resource ?? ''))], object.writes,
      [shares(list(object.writers), ({ writes: n }) => Number(n), writerTitle), Number(object.others) > 0 && note(`and ${count(Number(object.others), 'write')} by others`)],
    ],
  });
}

function writerTable(data) {
  const most = Math.max(...list(data.writers?.rows).map(({ writes: n }) => Number(n)), 1);
  return auditTable({
    id: 'writers', heading: 'Writers', note: 'Users with their field managers, and webhooks, whatever the object.',
    columns: [['Writer', 'webhook'], ['Writes', 'number time']], rows: data.writers, words: writerTitle,
    cells: (writer) => [el('span', { class: 'name' }, cut(writerTitle(writer))), [bar(writer.writes, most), writer.writes]],
  });
}

function annotationTable(data) {
  return auditTable({
    id: 'annotations', heading: 'Audit annotations', note: 'Of webhooks and policies: the log does not say which.',
    columns: [['Annotation', 'webhook'], ['Events', 'number']], rows: data.annotations, words: ({ owner, key }) => `${owner}/${key}`,
    cells: ({ owner, key, events }) => [el('span', { class: 'name' }, cut(`${owner}/${key}`)), events],
  });
}

// latency is how long the webhooks of a phase took together in slow requests.
function latency(data) {
  const all = list(data.latency);
  if (all.length === 0) return null;
  const columns = [['Webhooks', 'webhook'], ['Slow requests', 'number'], ['Mean', 'number'], ['Longest', 'number']];
  const rows = all.map(({ phase, requests, totalNanoseconds, longestNanoseconds }) => [
    el('span', { class: 'name' }, phase), requests, brief(Number(totalNanoseconds) / Number(requests) / 1e9), brief(Number(longestNanoseconds) / 1e9)]);
  return section('latency', 'Latency', 'Servers log it for requests of more than half a second.', table('Latency in slow requests', columns, rows, { class: 'cards' }));
}

function unread(data) {
  const all = list(data.unread);
  if (all.length === 0) return null;
  const more = Number(data.broken ?? 0) - all.length;
  return section('unread', 'Not read', 'The rest of the files was read.', el('ul', { class: 'unread' }, all.map((line) => el('li', {}, cut(line)))),
    more > 0 && el('p', { class: 'note' }, `And ${count(more, 'more part')}.`));
}

showPage(auditPage);
