// The page of outages. Its address says which situation the dialog shows: #REQUEST/BACKEND/STATE
// or #pair-N.

function outagePage(data) {
  const matrix = new Matrix(data);
  const pairs = list(data.pairs).map((pair, i) => new Situation(data, data.requests[pair.request], pair.outcome,
    pair.backends.map((b) => data.backends[b]), `#pair-${i + 1}`));
  for (const pair of pairs) matrix.byAddress.set(pair.address, pair);
  const [cells, filters] = matrixSection(matrix);
  const dialog = sideDialog(situationDialog(matrix), () => '#', openerOf);
  document.getElementById('app').append(...banner('Outages of webhooks'), el('div', { class: 'column-alone' },
    el('main', { id: 'main', tabindex: '-1' }, [
      outageHead(matrix), data.backends.length > 0 ? [
        attempt('The backends', () => backendTable(matrix, filters)), cells,
        attempt('The pairs', () => pairTable(data, pairs)), attempt('The cold start', () => coldStart(data)),
      ] : el('p', { class: 'nothing' }, 'There is no webhook among the inputs that could be down.'),
    ])), dialog.element);
  const show = () => dialog.show(matrix.byAddress.get(location.hash));
  addEventListener('hashchange', show);
  preparePrinting(() => null);
  show();
}

function openerOf({ address }) {
  return [...document.querySelectorAll('main a')].find((a) => a.hash === address)
    ?? [...document.querySelectorAll('.matrix td')].find((cell) => situations.get(cell).address === address);
}

function outageHead(matrix) {
  const { data, rows } = matrix;
  const worst = (effect) => rows.filter(({ cells }) => cells.some((s) => s.trouble() && s.outcome.effect === effect)).length;
  const stuck = list(data.coldStart.stuck).length;
  const figure = (n, text, style) => el('li', { class: n ? style : null }, el('b', {}, n.toLocaleString('en')), ' ', text);
  return el('header', { class: 'verdict' },
    el('h1', { id: 'title', tabindex: '-1' }, 'Requests that fail while webhooks are down'),
    el('p', { class: 'note lead' }, 'Each backend, the service or host that serves webhooks, refuses connections or hangs. ',
      'The engine runs the requests that a cluster depends on, in virtual time.'),
    el('ul', { class: 'figures' },
      figure(rows.length, 'requests'), figure(data.backends.length, data.backends.length === 1 ? 'backend' : 'backends'),
      figure(worst('refused'), 'can be refused', 'bad'), figure(worst('mutation lost'), 'can lose a mutation', 'warn'),
      figure(worst('delayed'), 'can be delayed', ''), figure(stuck, stuck === 1 ? 'backend never comes up again' : 'backends never come up again', 'bad')));
}

function backendTable(matrix, filters) {
  const columns = [['Backend', 'webhook'], ['Webhooks', 'number'], ['Refuses: refused', 'number'], ['Refuses: mutation lost', 'number'],
    ['Hangs: refused', 'number'], ['Hangs: mutation lost', 'number'], ['Hangs: delayed', 'number'], ['Hangs: longest', 'number']];
  const body = table('Backends, and how many requests their outages harm', columns, [], { class: 'cards backends' });
  roving(body, 'button.name');
  refill(body.tBodies[0], matrix.data.backends.map((backend, i) => [backend, matrix.sums[2 * i], matrix.sums[2 * i + 1]]), ([backend, refuses, hangs]) => {
    const n = (sum, effect) => sum.n(effect) > 0 && el('span', { class: effectTones[effect] }, sum.n(effect));
    const show = () => {
      filters.choose(backend.name);
      document.getElementById('matrix').scrollIntoView();
    };
    return tableRow(columns, [
      el('button', { type: 'button', class: 'name', onclick: show, title: 'Show this backend alone' }, cut(backend.name, 120)), list(backend.webhooks).length,
      n(refuses, 'refused'), n(refuses, 'mutation lost'), n(hangs, 'refused'), n(hangs, 'mutation lost'), n(hangs, 'delayed'),
      hangs.longest > 0 && brief(hangs.longest),
    ]);
  });
  return section('backends', 'Backends', 'How many requests each outage harms.', body);
}

// pairTable has a row for each two backends.
function pairTable(data, pairs) {
  if (pairs.length === 0) return null;
  const columns = [['Backends that hang', 'webhook'], ['Requests that are worse off']];
  const body = table('Requests that are worse off when two backends hang', columns, [], { class: 'cards pairs' });
  const groups = Map.groupBy(pairs, ({ down }) => down.map(({ name }) => name).join(' and '));
  refill(body.tBodies[0], [...groups], ([names, some]) => tableRow(columns, [
    el('span', { class: 'name' }, cut(names)), chunked(el('ul', { class: 'bare' }), some, pairEntry, 5)]), 20);
  roving(body, 'a');
  const left = data.pairCount - pairs.length;
  return section('pairs', 'Two backends hang',
    `${count(data.pairCount, 'outcome')} worse than with one of the two${left > 0 ? `, of which the worst ${pairs.length} are shown` : ''}.`, body);
}

function pairEntry(pair) {
  return el('li', {}, el('a', { href: pair.address, 'aria-haspopup': 'dialog' }, pair.request.does), ' ', chip(pair.words(), pair.tone()));
}

// situationDialog renders a situation.
function situationDialog(matrix) {
  return (situation, close) => {
    const { request, down, address } = situation;
    const [id, backend, state] = address.slice(1).split('/');
    const other = states.find((s) => s !== state);
    const otherSituation = matrix.byAddress.get(`#${id}/${backend}/${other}`);
    const downNames = backend === 'all' ? 'all backends hang' : `${down.map(({ name }) => name).join(' and ')} ${state ?? 'hang'}`;
    return [
      dialogHead([el('span', { class: 'note' }, 'A request in an outage'),
        otherSituation && neighbour(otherSituation.address, other === 'hangs' ? 'While it hangs' : 'While it refuses')],
      request.does, [chip(situation.words(), situation.tone()), ' while ', cut(downNames, 300), state === 'refuses' && ' connections'], close),
      attempt('The details', () => situationDetails(situation)),
    ];
  };
}

showPage(outagePage);
