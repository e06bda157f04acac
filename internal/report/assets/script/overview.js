// The overview of several requests.

function overview(items) {
  const number = (word) => items.filter((item) => item.verdict().word === word).length;
  const [denied, unknown] = [number('denied'), number('unknown')];
  const calls = items.flatMap((item) => item.calls);
  const figures = [
    [items.length, items.length === 1 ? 'request' : 'requests'],
    [number('admitted'), 'admitted', 'good'],
    [denied, 'denied', denied ? 'bad' : ''],
    ...(unknown ? [[unknown, 'unknown', 'warn']] : []),
    [calls.length, calls.length === 1 ? 'call' : 'calls'],
    ...(items.some(({ event }) => event) ? [] : [[items.reduce((sum, item) => sum + item.skipped.length, 0), 'not called']]),
  ];
  const figure = ([n, label, style]) => el('li', { class: style || null }, el('b', {}, n.toLocaleString('en')), ' ', label);
  return [
    el('header', { class: 'verdict' },
      el('h1', { id: 'title', tabindex: '-1' }, 'Overview'), el('ul', { class: 'figures' }, figures.map(figure))),
    attempt('The requests', () => requests(items)),
    attempt('The slowest webhooks', () => slowest(calls)),
    attempt('The latencies', () => latencies(calls)),
  ];
}

function requests(items) {
  const columns = [['', 'number'], ['Request', 'request'], ['Verdict', 'state'], ['Denied by'], ['Calls', 'number'], ['Changes', 'number'], ['Took', 'number time']];
  const longestTook = Math.max(...items.map((item) => item.end()));
  const body = table('Requests and their results', columns, [], { class: 'cards' });
  roving(body, 'a.request');
  refill(body.tBodies[0], items, (item) => tableRow(columns, requestCells(item, longestTook)));
  return section('requests', 'Requests', null, body);
}

function requestCells(item, longestTook) {
  const { explanation, number, anchor, title, event } = item;
  const { word, tone: colour } = item.verdict();
  const [denier, ...others] = item.deniers();
  const by = denier
    ? [denierLink(denier), others.length > 0 && ` and ${others.length} more`]
    : cut(explanation.deniedBy ?? explanation.status?.reason ?? 'the server');
  return [
    number, [el('a', { class: 'request', href: `#${anchor}` }, head(title, 160)), event && el('div', { class: 'note' }, `${event.time}, `, cut(event.text))],
    chip(word, colour),
    word === 'denied' ? by : '',
    item.calls.length, item.changes() || '', longestTook > 0 && [bar(item.end(), longestTook), seconds(item.end())],
  ];
}

// slowest sums the calls of a webhook up. Logs do not have how long calls took.
function slowest(calls) {
  if (calls.every(({ call }) => !(Number(call.seconds) > 0))) return null;
  const sums = new Map();
  for (const visit of calls) {
    const key = JSON.stringify([visit.webhook.configuration, visit.webhook.name]);
    const sum = sums.get(key) ?? { webhook: visit.webhook, slowest: visit, total: 0, n: 0 };
    const took = Number(visit.call.seconds ?? 0);
    sum.total += took;
    sum.n += 1;
    if (took > Number(sum.slowest.call.seconds ?? 0)) sum.slowest = visit;
    sums.set(key, sum);
  }
  const worst = ({ slowest: visit }) => Number(visit.call.seconds ?? 0);
  const all = [...sums.values()].sort((a, b) => worst(b) - worst(a)).slice(0, 10);
  const rows = all.map((sum) => [
    webhookName(sum.webhook), sum.n, seconds(sum.total / sum.n),
    [
      bar(worst(sum), worst(all[0]), tone(sum.slowest.call.outcome)),
      el('a', { href: `#${sum.slowest.anchor}`, 'aria-haspopup': 'dialog' }, seconds(worst(sum))),
    ],
  ]);
  const columns = [['Webhook', 'webhook'], ['Calls', 'number'], ['Mean', 'number'], ['Slowest', 'number time']];
  return section('slowest', 'Slowest webhooks', beyond([...sums.keys()], rows), table('The slowest webhooks', columns, rows, { class: 'cards' }));
}

// latencies is a histogram whose classes are bounded by 1, 2 and 5 times powers of ten,
// because latencies range over several of them.
function latencies(calls) {
  const all = calls.map((visit) => [Number(visit.call.seconds ?? 0), tone(visit.call.outcome)]).filter(([took]) => took > 0);
  if (all.length === 0) return null;
  const classes = buckets(all);
  const highest = Math.max(...classes.map(({ n }) => n));
  const columns = classes.map(({ to, n, bad }) => el('li', {},
    el('span', { class: 'n' }, n || ''),
    el('span', { class: 'column' }, bad > 0 && piled('bad', bad, highest), n > bad && piled('good', n - bad, highest)),
    el('span', { class: 'to', 'aria-hidden': 'true' }, `<${tick(to).replace(' ', '')}`),
    hidden(` calls below ${tick(to)}, ${bad} of them failed or refused`)));
  return section('latencies', 'Latencies of calls', `${count(all.length, 'call')}; those that failed or refused are red.`,
    el('ol', { class: 'histogram', 'aria-label': 'Calls by how long they took' }, columns));
}

function piled(style, n, highest) {
  const node = el('span', { class: style });
  node.style.height = `${(100 * n) / highest}%`;
  return node;
}

function buckets(all) {
  const edges = [];
  const longestTook = Math.max(...all.map(([took]) => took));
  const shortest = Math.min(...all.map(([took]) => took));
  for (let power = Math.floor(Math.log10(shortest)); edges.length < 60 && !(edges.at(-1) > longestTook); power += 1) {
    for (const n of [1, 2, 5]) {
      const edge = Number(`${n}e${power}`);
      if (edge > shortest && !(edges.at(-1) > longestTook)) edges.push(edge);
    }
  }
  return edges.map((to, i) => {
    const within = all.filter(([took]) => took < to && took >= (edges[i - 1] ?? 0));
    return { to, n: within.length, bad: within.filter(([, style]) => style === 'bad').length };
  });
}
