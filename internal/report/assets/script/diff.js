// The page of what a change of files changes for requests. The address may name a cause:
// #cause-3.

const tones = { verdict: 'bad', object: 'warn', calls: '' };

// causesShown is the number of causes that are shown at once, and opened the number up to
// which the examples are open.
const causesShown = 40;
const opened = 6;

function diffPage(data) {
  const causes = list(data.causes).map((c, i) => ({ ...c, number: i + 1, anchor: `cause-${i + 1}`, words: causeWords(c) }));
  const shown = el('p', { class: 'note', role: 'status' });
  const content = el('div');
  const article = (cause) => attempt(`Cause ${cause.number}`, () => causeArticle(cause, list(data.explain), causes.length <= opened));
  const filters = causeFilters(causes, () => {
    const some = causes.filter(filters.match);
    shown.textContent = `${some.length} of ${count(causes.length, 'cause')} shown`;
    const named = some.findIndex(({ anchor }) => `#${anchor}` === location.hash);
    content.replaceChildren(chunked(el('div'), some, article, Math.max(causesShown, named + 1)));
  });
  document.getElementById('app').append(...banner('Changes'), el('div', { class: 'column-alone' },
    el('main', { id: 'main', tabindex: '-1' }, diffHead(data),
      causes.length > 0 && section('causes', 'Causes', 'Without the change, each request of a cause ends as before.',
        el('div', { class: 'filters', role: 'search' }, filters.inputs, shown), content, leftOut(data.causeCount, causes, 'cause')),
      attempt('The changes without effect', () => untested(data)),
      attempt('What varies by itself', () => unsteady(data)),
      attempt('The lines that are not readable', () => unread(data)))));
  filters.changed();
  const target = () => {
    const name = location.hash.slice(1);
    if (name && !document.getElementById(name)) filters.changed(); // it may be behind the first ones
    document.getElementById(name)?.scrollIntoView();
  };
  addEventListener('hashchange', target);
  preparePrinting(() => null);
  target();
}

function diffHead(data) {
  const n = data.differences ?? {};
  const aside = list(data.setAside).length;
  const figure = (number, text, style) => el('li', { class: number ? style : null }, el('b', {}, Number(number ?? 0).toLocaleString('en')), ' ', text);
  const some = (number, ...rest) => number > 0 && figure(number, ...rest);
  return el('header', { class: 'verdict' },
    el('h1', { id: 'title', tabindex: '-1' }, capital(head(data.headline ?? 'nothing was compared', longest))),
    data.incomplete && el('p', { class: 'status warn' }, 'The comparison was interrupted: not all requests were compared.'),
    el('ul', { class: 'figures' },
      figure(data.requests, Number(data.requests) === 1 ? 'request' : 'requests'), figure(n.requests, n.requests === 1 ? 'differs' : 'differ'),
      figure(n.verdict, 'in the verdict', 'bad'), figure(n.object, 'in the object or the response', 'warn'),
      figure(n.calls, 'in calls or annotations'), some(n.undecided, 'with an unknown verdict', 'warn'),
      some(aside, 'ignored: not deterministic')),
    list(data.limits).length > 0 && el('div', { class: 'remarks warn' }, el('ul', {}, data.limits.map((text) => el('li', {}, cut(text))))));
}

// causeFilters are a text and a kind of difference.
function causeFilters(causes, changed) {
  const text = el('input', { type: 'search', placeholder: 'Webhook, request…', 'aria-label': 'Filter by text', oninput: changed });
  const kindsOf = (cause) => [...new Set(list(cause.effects).map(({ kind }) => kind))];
  const kind = choice('All kinds', 'Filter by kind of difference', causes.flatMap(kindsOf), changed);
  return {
    inputs: [text, kind],
    changed,
    match: (cause) => cause.words.includes(text.value.trim().toLowerCase()) && (!kind.value || kindsOf(cause).includes(kind.value)),
  };
}

function causeWords({ title, changes, also, effects, items, ids, id, request }) {
  const all = [...list(changes), ...list(also), ...list(items), ...list(effects)].flatMap(Object.values);
  return [title, id, request, ...list(ids), ...all].filter((word) => typeof word === 'string').join('\n').toLowerCase();
}

function causeArticle(cause, explain, open) {
  const { anchor, number, changes, also, level, differences: n } = cause;
  const one = list(changes).length === 1;
  return el('article', { id: anchor, class: `rule ${tones[level] ?? ''}`, 'aria-labelledby': `${anchor}-heading` },
    el('h3', { id: `${anchor}-heading` }, el('a', { href: `#${anchor}` }, `${number}. `, cut(capital(cause.title ?? '').replace(/:$/, '')))),
    one && positions(changes[0]),
    !one && list(changes).length > 0 && [changeList(changes), leftOut(cause.changeCount, changes, 'change')],
    effects(cause),
    (n?.undecided > 0 || n?.assumed > 0) && el('p', { class: 'note' }, [
      n.undecided > 0 && `the verdict of ${n.undecided} is unknown`,
      n.assumed > 0 && `${n.assumed} used an answer that may have been recorded for another object`].filter(Boolean).map((text, i) => (i ? `; ${text}` : capital(text))), '.'),
    list(also).length > 0 && el('section', {}, el('h4', {}, 'Undoing one of these alone has the same effect'), changeList(also)),
    fold(['Example: ', cut(cause.request), ' ', el('code', {}, head(cause.id ?? '', 100))], () => example(cause, explain), { open }));
}

function changeList(changes) {
  return el('ul', { class: 'together' }, changes.map((change) => el('li', {}, cut(change.text), positions(change))));
}

// positions say where a change is: what one set does not have, was added or removed.
function positions({ before, after }) {
  return terms([['Before', cut(before || 'absent')], ['After', cut(after || 'absent')]], { class: 'long at' });
}

function leftOut(all, some, what) {
  const n = Number(all ?? 0) - list(some).length;
  return n > 0 && el('p', { class: 'note' }, `${count(n, `more ${what}`)} ${n === 1 ? 'is' : 'are'} not on this page.`);
}

// effects are what happens to how many requests.
function effects({ effects: all, effectCount, differences }) {
  const whole = Number(differences?.requests ?? 0);
  const items = el('ul', { class: 'effects' });
  return el('section', {}, el('h4', {}, count(whole, 'request')),
    chunked(items, list(all), (e) => el('li', {}, el('span', { class: 'number' }, e.requests), bar(e.requests, whole, tones[e.level]),
      el('span', { class: tones[e.level] }, cut(e.text))), 12), leftOut(effectCount, all, 'effect'));
}

function example(cause, explain) {
  const { items, itemCount, ids, argument, differences } = cause;
  const more = Number(differences?.requests ?? 0) - list(ids).length - 1;
  const rows = list(items).map((item) => [cut(item.name), cut(item.before, 600), cut(item.after, 600)]);
  return [
    rows.length > 0 ? table('The example before and after', [['What'], ['Before'], ['After']], rows, { class: 'cards sides' })
      : el('p', { class: 'note' }, 'The page is too large for this example. The command below explains it.'),
    rows.length > 0 && leftOut(itemCount, items, 'difference'),
    list(ids).length > 0 && el('p', { class: 'note' }, 'Other requests: ', ids.map((id, i) => [i > 0 && ', ', el('code', {}, head(id, 100))]), more > 0 && ` and ${more.toLocaleString('en')} more`),
    block(`${explain[0] ?? ''} --example ${argument} ${explain[1] ?? ''}`, 'The command that explains the example'),
  ];
}

function changeTable(caption, changes) {
  const columns = [['Change', 'webhook'], ['Before'], ['After']];
  const body = table(caption, columns, [], { class: 'cards untested' });
  refill(body.tBodies[0], changes, ({ text, before, after }) => tableRow(columns, [cut(text), cut(before || 'absent'), cut(after || 'absent')]), 100);
  return body;
}

function untested(data) {
  const all = list(data.withoutEffect);
  if (all.length === 0) return null;
  return section('untested', `Changes that affect no request: ${Number(data.withoutEffectCount).toLocaleString('en')}`,
    all.length === 1 ? 'Either it has no effect, or the corpus does not test it.'
      : 'Either they have no effect, or the corpus does not test them.', changeTable('Changes that affect no request', all),
    leftOut(data.withoutEffectCount, all, 'change'));
}

function unsteady(data) {
  const all = list(data.setAside);
  if (all.length === 0) return null;
  const rows = all.map(({ what, requests, id }) => [cut(what), requests, el('code', {}, cut(id))]);
  return section('unsteady', 'Not deterministic', 'The report ignores differences between two runs of the same set.',
    table('What differs between two runs of the same set', [['What', 'webhook'], ['Requests', 'number'], ['Such as']], rows, { class: 'cards unsteady' }));
}

function unread(data) {
  const all = list(data.unread);
  if (all.length === 0) return null;
  return section('unread', 'Lines that are not readable', 'They were not compared.', el('ul', { class: 'unread' }, all.map((line) => el('li', {}, cut(line)))));
}

showPage(diffPage);
