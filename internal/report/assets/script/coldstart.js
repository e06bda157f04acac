// What happens after all backends were down.

function coldStart(data) {
  const { rounds, stuck, cycle, exclusions, fewest } = data.coldStart;
  if (list(rounds).length + list(stuck).length === 0) return null;
  const some = list(stuck).length;
  const note = some ? `${some} of ${count(list(rounds).flat().length + some, 'backend')} never come up.` : 'All come up.';
  return section('coldstart', 'After all backends were down', note,
    list(rounds).length > 0 && part('They come up in this order', order(data, rounds)),
    list(cycle).length > 0 && part('The smallest cycle', cycleSteps(cycle)),
    list(exclusions).length > 0 && part(fewest ? 'The fewest exclusions that free all' : 'Exclusions that free all', exclusionList(exclusions)),
    some > 0 && part('Those that never come up', stuckTable(stuck)),
    assumed(data));
}

function order(data, rounds) {
  return chunked(el('ol', { class: 'rounds' }), rounds, (names) => el('li', {}, names.map((name) => chip(name, 'good'))), 100);
}

// stuckTable has a row for each reason: one webhook often keeps all others down.
function stuckTable(stuck) {
  const columns = [['Backends', 'webhook'], ['Need that'], ['But these webhooks fail'], ['Message', 'why']];
  const body = table('Backends that never come up', columns, [], { class: 'cards' });
  const groups = Map.groupBy(stuck, ({ needs, webhooks, message }) => JSON.stringify([needs, webhooks, message]));
  refill(body.tBodies[0], [...groups.values()], (some) => tableRow(columns, [
    chunked(el('ul', { class: 'bare' }), some, ({ backend }) => el('li', { class: 'name' }, cut(backend)), 10),
    some[0].needs, cut(list(some[0].webhooks).join(', ') || 'none: a policy denies it'), cut(some[0].message ?? ''),
  ]));
  return body;
}

function cycleSteps(cycle) {
  return el('ol', { class: 'cycle' }, cycle.map((edge) => el('li', {},
    el('b', {}, cut(edge.backend)), ' waits for ', el('b', {}, cut(edge.waitsFor)),
    el('span', { class: 'note' }, `${edge.needs} Without the other, this is refused by `, cut(list(edge.webhooks).join(', ')), '.'))));
}

// exclusionList has what to add to the configurations.
function exclusionList(exclusions) {
  return [chunked(el('ul', { class: 'exclusions' }), exclusions, (e) => el('li', {},
    'Exempt namespace ', el('code', {}, cut(e.namespace)), ' from ', el('code', {}, cut(e.webhook)), fold('namespaceSelector', () => block(
      `namespaceSelector:\n  matchExpressions:\n  - key: kubernetes.io/metadata.name\n    operator: NotIn\n    values: [${scalar(e.namespace)}]`,
      `Selector without namespace ${e.namespace}`))), 50)];
}

function assumed(data) {
  const names = list(data.backends).filter((b) => b.assumed).map(({ name }) => name);
  if (names.length === 0) return null;
  return el('p', { class: 'note' }, 'The pods of ', cut(names.join(', ')),
    ' are not among the inputs. They are assumed to be in the namespace of the Service, without labels.');
}
