// What is left to tell about a request.

function removed(item) {
  const gone = list(item.explanation.removed);
  if (gone.length === 0) return null;
  const columns = [['Path', 'mono'], ['Removed by'], ['Values it had', 'mono']];
  const had = (write) => el('li', {}, cut(inline(write.value)), ' ', note('by ', writerText(write.writer ?? {})));
  const rows = gone.slice(0, 200).map((field) => [
    cut(field.path), writerLink(item, field.writer ?? {}), el('ul', { class: 'bare' }, list(field.earlier).map(had)),
  ]);
  return section('removed', 'Fields that are gone', beyond(gone, rows), table('Fields that were removed', columns, rows, { class: 'cards' }));
}

// beyond says what a table has no room for.
function beyond(all, rows) {
  return all.length > rows.length ? `The first ${rows.length} of ${all.length}.` : null;
}

function fights(item) {
  const all = list(item.explanation.fights);
  if (all.length === 0) return null;
  const entries = chunked(el('ul', { class: 'fights' }), all, (fight) => el('li', {},
    el('h3', {}, el('code', {}, cut(fight.path))),
    el('ol', {}, list(fight.writes).map((write) => writeEntry(item, write)))), 50);
  return section('fights', 'Fights', 'Webhooks wrote these fields in turns; the last value remained.', entries);
}

function annotations(item) {
  const all = list(item.explanation.auditAnnotations);
  if (all.length === 0) return null;
  const rows = all.slice(0, 500).map(({ key, value, level }) => [cut(key), cut(value), level]);
  const columns = [['Key', 'mono'], ['Value', 'mono'], ['From level']];
  return fold(`Audit annotations (${all.length})`, () => table('Annotations of the audit event', columns, rows, { class: 'cards' }));
}

function metrics(item) {
  const all = list(item.explanation.metrics);
  if (all.length === 0) return null;
  const by = (delta) => `${Number(delta) > 0 ? '+' : ''}${delta}`;
  const rows = all.slice(0, 500).map(({ name, labels: set, delta }) => [cut(name), cut(labels(set)), by(delta)]);
  const columns = [['Metric', 'mono'], ['Labels', 'mono'], ['Change', 'number']];
  return fold(`Metrics (${all.length})`, () => table('Series that the request changed', columns, rows, { class: 'cards' }));
}

// extras are folds of what few look for.
function extras(item) {
  const request = item.explanation.request ?? {};
  const sent = [['Object as it was sent', request.object], ['Object as it is stored', request.oldObject], ['Options', request.options]]
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => fold(name, () => block(yaml(value), name)));
  const all = [annotations(item), metrics(item), ...sent].filter(Boolean);
  return all.length > 0 && section('more', 'More about the request', null, all);
}
