// The timeline: every call as a bar between the begin and the end of the request.
// Mutating webhooks are called one after the other, so their bars are stairs;
// validating ones all at once, so theirs begin together. The policies of a round come
// before its webhooks.

function timeline(item) {
  const total = item.end();
  const rounds = item.rounds();
  const timed = item.calls.some(({ call }) => Number(call.seconds) > 0);
  const calls = el('div', { class: 'timeline' },
    timed && axis(total),
    rounds.map((pass) => roundRows(pass, total)));
  const [, step = total] = ticks(total);
  calls.style.setProperty('--step', `${total > 0 ? (100 * step) / total : 100}%`);
  const note = item.calls.length ? 'Choose a call to see its review and its result; arrow keys move between calls.' : null;
  return section('timeline', 'Timeline', note,
    rounds.length ? roving(calls, 'a.call') : el('p', {}, 'The request ended before any webhook or policy.'));
}

function axis(total) {
  const all = ticks(total);
  const labels = all.map((s) => {
    const label = el('span', { class: 'tick' }, tick(s));
    label.style.left = `${(100 * s) / total}%`;
    return label;
  });
  return el('div', { class: 'row axis', 'aria-hidden': 'true' }, el('span', { class: 'track' }, labels));
}

// roundRows is a pass through a phase: a heading that spans its calls, and the calls.
function roundRows({ round, calls, skipped }, total) {
  const begins = calls.map(({ call }) => Number(call.begin ?? 0));
  const ends = calls.map(({ call }) => Number(call.begin ?? 0) + Number(call.seconds ?? 0));
  const [begin, end] = calls.length ? [Math.min(...begins), Math.max(...ends)] : [0, 0];
  const summary = el('summary', { class: 'row round' },
    el('span', { class: 'who' }, el('h3', {}, roundTitle(round)), el('span', { class: 'note' }, howCalled(round, calls))),
    el('span', { class: 'track', 'aria-hidden': 'true' }, total > 0 && calls.length > 0 && span('extent', begin, end - begin, total)),
    el('span', { class: 'took' }, end > 0 && seconds(end - begin)),
    el('span', { class: 'outcome' }, skipped.length > 0 && `${skipped.length} not called`));
  return el('details', { open: true }, summary,
    round.cause && el('p', { class: 'cause' }, cut(round.cause)),
    policyRows(round),
    chunked(el('ol', { class: 'calls' }), calls, (visit) => callRow(visit, total), 300));
}

function howCalled(round, calls) {
  if (calls.length === 0) return 'no webhook called';
  if (calls.length === 1) return 'one call';
  return `${calls.length} calls, ${round.phase === 'mutating' ? 'one after the other' : 'at once'}`;
}

function callRow(visit, total) {
  const { webhook, call, number } = visit;
  return el('li', {}, el('a', { class: 'row call', href: `#${visit.anchor}`, 'aria-haspopup': 'dialog' },
    el('span', { class: 'number' }, number),
    el('span', { class: 'who' }, webhookName(webhook)),
    el('span', { class: 'track', 'aria-hidden': 'true' },
      total > 0 && span(`call-bar ${tone(call.outcome)} ${call.fault ? 'injected' : ''}`, Number(call.begin ?? 0), Number(call.seconds ?? 0), total)),
    el('span', { class: 'took' }, total > 0 && seconds(call.seconds)),
    el('span', { class: `outcome ${tone(call.outcome)}` }, outcome(call),
      call.fault && [' ', chip(`injected: ${head(call.fault, 60)}`, 'warn')])));
}

// outcome is how the call ended, and whether it made a difference.
function outcome(call) {
  const changed = list(call.changes).length || list(call.patch).length;
  if (call.mutated) return `${call.outcome}, ${changed ? count(changed, 'change') : 'changed'}`;
  return call.outcome ?? 'not traced';
}

// span is a bar in time.
function span(style, begin, length, total) {
  const node = el('span', { class: style });
  node.style.left = `${total > 0 ? (100 * begin) / total : 0}%`;
  node.style.width = `${total > 0 ? (100 * length) / total : 0}%`;
  return node;
}
