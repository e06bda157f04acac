// The page of findings. The address may name one of them: #finding-3.

const levels = [['error', 'Errors', 'bad'], ['warning', 'Warnings', 'warn'], ['info', 'For information', '']];

function lintPage(data) {
  const rules = new Map(list(data.rules).map((one) => [one.id, one]));
  const withRule = (problem) => ({ ...problem, rule: rules.get(problem.rule) ?? { id: problem.rule } });
  const findings = list(data.findings).map((f, i) => {
    const others = list(f.others).map(withRule);
    return { ...withRule(f), others, anchor: `finding-${i + 1}`, text: [f, ...list(f.others)].map(problemText).join('\n') };
  });
  const shown = el('p', { class: 'note', role: 'status' });
  const content = el('div', { class: 'findings' });
  const filters = findingFilters(findings, () => {
    const some = findings.filter((f) => filters.match(f));
    shown.textContent = `${some.length} of ${findings.length} shown`;
    content.replaceChildren(...levels.map((level) => levelSection(level, some)).filter(Boolean), ...[silenced(some)].filter(Boolean));
  });
  document.getElementById('app').append(...banner('Findings'), el('div', { class: 'column-alone' },
    el('main', { id: 'main', tabindex: '-1' }, lintHead(findings, data),
      findings.length > 0 && el('div', { class: 'filters', role: 'search' }, filters.inputs, shown),
      content, attempt('The skipped rules', () => notChecked(data, rules)))));
  filters.changed();
  const target = () => document.getElementById(location.hash.slice(1))?.scrollIntoView();
  addEventListener('hashchange', target);
  preparePrinting(() => null);
  target();
}

function problemText({ subject, message, position, rule: id, evidence, witness }) {
  return [subject, message, position, id, ...list(evidence), witness?.does, witness?.request].filter(Boolean).join('\n').toLowerCase();
}

function levelOf(finding) {
  return finding.silenced ? 'silenced' : finding.level ?? finding.rule.level;
}

function lintHead(findings, data) {
  const n = (level) => findings.filter((f) => levelOf(f) === level).length;
  const figure = (number, text, style) => el('li', { class: number ? style : null }, el('b', {}, number.toLocaleString('en')), ' ', text);
  const left = findings.length - n('silenced');
  return el('header', { class: 'verdict' },
    el('h1', { id: 'title', tabindex: '-1' }, left ? count(left, 'finding') : 'No findings'),
    el('ul', { class: 'figures' },
      figure(n('error'), n('error') === 1 ? 'error' : 'errors', 'bad'), figure(n('warning'), n('warning') === 1 ? 'warning' : 'warnings', 'warn'),
      n('info') > 0 && figure(n('info'), 'for information'), n('silenced') > 0 && figure(n('silenced'), 'silenced'),
      figure(Number(data.checked ?? 0), Number(data.checked) === 1 ? 'rule checked' : 'rules checked'), figure(list(data.skipped).length, 'skipped')));
}

// findingFilters are a text, a level, a rule and a file.
function findingFilters(findings, changed) {
  const text = el('input', { type: 'search', placeholder: 'Webhook, message…', 'aria-label': 'Filter by text', oninput: changed });
  const level = choice('All levels', 'Filter by level', findings.map(levelOf), changed);
  const idsOf = (f) => [...new Set([f, ...f.others].map((problem) => problem.rule.id))];
  const ids = choice('All rules', 'Filter by rule', findings.flatMap(idsOf), changed);
  const file = choice('All files', 'Filter by file', findings.map((f) => f.file || 'no file'), changed);
  return {
    inputs: [text, level, ids, file],
    changed,
    match: (f) => f.text.includes(text.value.trim().toLowerCase()) && (!level.value || levelOf(f) === level.value)
      && (!ids.value || idsOf(f).includes(ids.value)) && (!file.value || (f.file || 'no file') === file.value),
  };
}

function levelSection([level, heading, colour], findings) {
  const groups = Map.groupBy(findings.filter((f) => levelOf(f) === level), (f) => f.rule);
  if (groups.size === 0) return null;
  const some = [...groups.values()].flat().length;
  return section(level, heading, `${count(some, 'finding')} of ${count(groups.size, 'rule')}`,
    [...groups].map(([one, own]) => attempt(`The rule ${one.id}`, () => ruleArticle(one, own, colour))));
}

function ruleArticle(one, findings, colour) {
  return el('article', { class: `rule ${colour}`, 'aria-labelledby': `rule-${one.id}` },
    el('h3', { id: `rule-${one.id}` }, one.title),
    el('p', { class: 'note' }, el('code', {}, one.id), ', ', count(findings.length, 'finding')),
    terms([['Why', one.why], ['Fix', one.fix], ['Sources', sources(one)]], { class: 'long' }),
    chunked(el('ol', { class: 'own' }), findings, findingItem, 50));
}

// sources are links to pages, and to threads ORGANIZATION/REPOSITORY#NUMBER.
function sources({ sources: all }) {
  return list(all).map((source, i) => {
    const thread = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source);
    const to = thread ? `https://github.com/${thread[1]}/issues/${thread[2]}` : source;
    const link = to.startsWith('https://') ? el('a', { href: to, rel: 'noopener noreferrer' }, source.replace('https://', '')) : source;
    return [i > 0 && ', ', link];
  });
}

function findingItem(finding) {
  const { others } = finding;
  return el('li', { id: finding.anchor },
    el('h4', {}, el('a', { href: `#${finding.anchor}` }, cut(finding.subject, 300))), problem(finding),
    finding.fix && el('p', {}, el('b', {}, 'Fix: '), cut(finding.fix, 600)),
    others.length > 0 && fold([`With the same cause, ${head(finding.cause ?? '', 200)}: `, note(cut(others.map(({ rule: { id } }) => id).join(', '), 300))],
      () => chunked(el('ul', { class: 'same' }), others, (other) => otherItem(other, finding), 50)));
}

// problem says what is wrong, where, and what proves it.
function problem(one) {
  return [
    el('p', {}, cut(one.message, 1000)), where(one),
    list(one.evidence).length > 0 && chunked(el('ul', { class: 'evidence' }), one.evidence, (fact) => el('li', {}, cut(fact, 600)), 10),
    one.witness && fold(witnessTitle(one.witness), () => witnessDetails(one.witness)),
  ];
}

function otherItem(other, { subject, silenced: all }) {
  const { rule: { id, level, title } } = other;
  return el('li', {}, el('h4', {}, chip(level, { error: 'bad', warning: 'warn' }[level]), ' ', title, ' ', el('code', {}, id)),
    other.subject !== subject && el('p', {}, cut(other.subject, 300)),
    other.silenced && !all && el('p', { class: 'note' }, 'Silenced: ', cut(other.silenced, 600)), problem(other));
}

function where({ position, field }) {
  return el('p', { class: 'note' }, cut(position || 'no file', 300), field && [', ', el('code', {}, cut(field, 300))]);
}

// down says which backends are down.
function down(witness) {
  const all = Object.entries(witness.down ?? {}).sort().map(([name, state]) => `${name} ${state === 'refuses' ? 'refuses connections' : state}`);
  return all.length ? `while ${all.join(', ')}` : 'while all backends are healthy';
}

function witnessTitle(witness) {
  const { effect, seconds: s } = witness;
  const words = effect + (s > 0 ? ` after ${brief(s)}` : '');
  return [el('span', { class: 'who' }, 'Proof: ', witness.does), ' ', chip(words, { refused: 'bad', passes: '' }[effect] ?? 'warn'), ' ', note(cut(down(witness), 200))];
}

function witnessDetails(witness) {
  const { tree: text, breaks, effect, others, replay } = witness;
  return [
    effect === 'refused' && el('p', { class: 'status bad' }, el('b', {}, 'What breaks: '), breaks),
    text && part('Explanation', tree(text)),
    part('Replay', block(list(replay).join('\n'), 'Commands that replay it')),
    others > 0 && el('p', { class: 'note' }, `The same holds for ${count(others, 'more request')}.`),
  ];
}

function silenced(findings) {
  const some = findings.filter((f) => f.silenced);
  if (some.length === 0) return null;
  const columns = [['What', 'webhook'], ['Rule', 'mono'], ['Reason', 'why'], ['Where']];
  const body = table('Findings that are silenced', columns, [], { class: 'cards silenced' });
  refill(body.tBodies[0], some, (f) => tableRow(columns, [
    [el('span', { class: 'name' }, cut(f.subject, 300)), note(cut(f.message, 400))], f.rule.id, cut(f.silenced, 600), where(f),
  ], { id: f.anchor }));
  return section('silenced', 'Silenced', 'Accepted, with a reason.', body);
}

// notChecked has the skipped rules, with what they need.
function notChecked(data, rules) {
  const all = list(data.skipped);
  if (all.length === 0) return null;
  const columns = [['Missing among the inputs', 'webhook'], ['Rules']];
  const groups = Map.groupBy(all, ({ missing }) => list(missing).join(' or '));
  const rows = [...groups].map(([missing, some]) => [el('span', { class: 'name' }, missing), el('ul', { class: 'bare' }, some.map(({ rule: id }) => el('li', {},
    rules.get(id)?.title ?? '', ' ', el('code', {}, id))))]);
  return section('skipped', 'Not checked', `${count(all.length, 'rule')} had nothing to check.`, table('Rules that were skipped', columns, rows, { class: 'cards missing' }));
}

showPage(lintPage);
