// One webhook from close up: what came of its call or why there was none.

// visitDetails is everything about a visit, for the dialog and for printing.
function visitDetails(visit) {
  const parts = visit.called
    ? [problemOf, timing, changesOf, answered, exchange, bodies, matched, asked]
    : [skippedBecause, matched, asked];
  return parts.map((part) => attempt('A part of this', () => part(visit)));
}

function visitNote({ round, webhook, call, called }) {
  const chips = called
    ? [chip(outcome(call), tone(call.outcome)), call.fault && chip(`answered by fault ${call.fault}`, 'warn')]
    : [chip('not called', ''), chip(webhook.stage, '')];
  return [chips, ` of ${webhook.configuration}${webhook.static ? ' (static)' : ''}, ${roundTitle(round).toLowerCase()}`];
}

function problemOf({ call }) {
  if (!call.error && !call.policy) return null;
  return el('div', { class: `status ${tone(call.outcome)}` },
    call.error && el('p', {}, cut(call.error, 2000)), call.policy && el('p', { class: 'note' }, cut(call.policy)),
    call.hint && el('p', { class: 'hint' }, el('b', {}, 'Hint: '), cut(call.hint, 1000)));
}

function skippedBecause({ webhook }) {
  return el('div', { class: `status ${webhook.error ? 'bad' : ''}` },
    el('p', {}, cut(webhook.error || capital(webhook.reason ?? 'The reason is not known.'), 2000)),
    webhook.hint && el('p', { class: 'hint' }, el('b', {}, 'Nearest miss: '), cut(webhook.hint, 1000)));
}

// phases are the parts of an exchange, and what is left of the call's time.
const phases = [['connect', 'Connect'], ['tls', 'TLS handshake'], ['wait', 'Wait for the answer'], ['read', 'Read the answer']];

function timing({ call }) {
  if (!(Number(call.seconds) > 0)) return null;
  const parts = phases.map(([key, label]) => [key, label, Number(call.timing?.[key] ?? 0)]);
  const rest = Number(call.seconds) - parts.reduce((sum, [, , s]) => sum + s, 0);
  if (call.timing) parts.push(['rest', 'Review, patch and defaults', Math.max(rest, 0)]);
  const heading = `${seconds(call.seconds)}, beginning ${seconds(call.begin)} into the request`;
  if (!call.timing) return part('Time', el('p', {}, `${heading}. How it was spent was not measured.`));
  const strip = el('div', { class: 'strip', 'aria-hidden': 'true' }, parts.map(([key, , s]) => {
    const piece = el('span', { class: `piece ${key}` });
    piece.style.flexGrow = String(s / Number(call.seconds));
    return piece;
  }));
  const legend = parts.map(([key, label, s]) => [[el('span', { class: `swatch piece ${key}`, 'aria-hidden': 'true' }), label], seconds(s)]);
  return part('Time', el('p', {}, heading), strip, terms(legend, { class: 'timing' }));
}

function changesOf({ round, call }) {
  const changes = list(call.changes);
  const defaulted = list(call.defaulted);
  if (round.phase !== 'mutating' || call.outcome !== 'allowed') return null;
  return [
    part('Changes', changes.length ? difference(changes, 'Changes of the object')
      : el('p', {}, call.mutated ? 'The object was changed; the changes were not traced.' : 'The object was left as it was.')),
    defaulted.length > 0 && part('Defaults added after it', difference(defaulted, 'Defaults added to the object')),
    list(call.patch).length > 0 && part('Patch', patch(call.patch)),
  ];
}

// answered is what the webhook said beside yes or no.
function answered({ call }) {
  const annotations = Object.entries(call.auditAnnotations ?? {});
  const dropped = Number(call.dropped ?? 0);
  return [
    list(call.warnings).length > 0 && part('Warnings', el('ul', {}, call.warnings.map((text) => el('li', {}, cut(text))))),
    annotations.length > 0
      && part('Audit annotations', terms(annotations.map(([key, value]) => [cut(key), cut(value)]), { class: 'long' })),
    dropped > 0
      && el('p', { class: 'note' }, `${count(dropped, 'warning or annotation', 'warnings and annotations')} beyond the limits dropped.`),
  ];
}

function exchange({ webhook, call }) {
  const connection = call.address && (call.reused ? 'there already' : 'made for this call');
  return part('Exchange', terms([
    ['URL', call.url ? cut(call.url) : 'nothing was sent'],
    ['Address', call.address || (call.url && 'none: it was answered in the process, or there was no connection')],
    ['Connection', connection],
    ['Protocol', call.protocol],
    ['TLS', cut(call.tls ?? '')],
    ['HTTP status', Number(call.statusCode) > 0 ? `${call.statusCode}` : call.url && 'none'],
    ['Code in metrics', `${call.code ?? 0}`],
    ['AdmissionReview', call.reviewVersion],
    ['Review UID', call.uid],
    ['Index in annotations', `${call.index ?? 0}`],
    ['Webhook UID', webhook.uid],
  ], { class: 'long' }));
}

function bodies({ call }) {
  const shown = [['Request', call.request], ['Response', call.response]].filter(([, value]) => value !== undefined);
  if (shown.length === 0) return null;
  return part('Bodies', shown.map(([name, value]) => fold(name, () => body(value, `${name} body`))));
}

// matched is the evidence: what matching saw, as far as it came.
function matched({ webhook }) {
  const m = webhook.match ?? {};
  const rules = list(webhook.spec?.rules);
  const misses = list(m.ruleMisses).map((miss, i) => el('li', {},
    `rules[${i}] ${miss === 'matched' ? 'matches' : `does not match by its ${miss}`}`,
    rules[i] && el('span', { class: 'note' }, `: ${rule(rules[i])}`)));
  const target = m.target && `${versioned(m.target.resource, m.target.subresource)}, kind ${versioned(m.target.kind)}`;
  const evidence = terms([
    ['Stage', webhook.stage],
    ['Rules', misses.length > 0 && el('ul', { class: 'bare' }, misses)],
    ['Shown as', target && `${target}${m.equivalent ? ' (equivalent)' : ''}`],
    ['Equivalents tried', list(m.equivalents).map((r) => versioned(r)).join(', ')],
    ['Namespace labels', m.namespaceLabels && cut(labels(m.namespaceLabels))],
    ['Object labels', m.objectLabels && cut(labels(m.objectLabels))],
    ['Old object labels', m.oldObjectLabels && cut(labels(m.oldObjectLabels))],
  ], { class: 'long' });
  return part('Matching', evidence, list(m.conditions).length > 0 && conditions(m.conditions));
}

function conditions(all) {
  return table('Match conditions', [['Condition'], ['Expression', 'mono'], ['Value'], ['Cost', 'number']],
    all.map((c) => [c.name, cut(c.expression), c.error ? cut(c.error) : String(c.value), `${c.cost ?? 0}`]), { class: 'cards' });
}

// asked is what the configuration says.
function asked({ webhook }) {
  const s = webhook.spec;
  if (!s) return null;
  return part('Configuration', terms([
    ['Rules', list(s.rules).length > 0 && el('ul', { class: 'bare' }, s.rules.map((r, i) => el('li', {}, `rules[${i}] ${rule(r)}`)))],
    ['Match policy', s.matchPolicy],
    ['Namespace selector', cut(selector(s.namespaceSelector))],
    ['Object selector', cut(selector(s.objectSelector))],
    ['Match conditions', list(s.matchConditions).length > 0 && `${s.matchConditions.length}`],
    ['Failure policy', s.failurePolicy],
    ['Side effects', s.sideEffects],
    ['Reinvocation policy', s.reinvocationPolicy],
    ['Timeout', s.timeoutSeconds && `${s.timeoutSeconds} s`],
    ['Position', `${webhook.position}`],
  ], { class: 'long' }));
}
