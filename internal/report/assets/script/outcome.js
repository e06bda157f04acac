// What happens to a request while backends are down: in words, as a cell, and in detail.

// effects are from good to bad.
const effects = ['passes', 'delayed', 'mutation lost', 'refused'];
const effectTones = { delayed: 'wait', 'mutation lost': 'warn', refused: 'bad' };

// Situation is a request while one backend, two or all are down.
class Situation {
  constructor(data, request, outcome, down, address) {
    this.data = data;
    this.request = request;
    this.outcome = data.outcomes[outcome];
    this.down = down;
    this.address = address;
  }

  // trouble reports whether the request is worse off than without the outage.
  trouble() {
    const healthy = this.data.outcomes[this.request.healthy];
    return effects.indexOf(this.outcome.effect) > effects.indexOf(healthy.effect);
  }

  tone() {
    return this.trouble() ? effectTones[this.outcome.effect] : '';
  }

  // words say what happens.
  words() {
    const { effect, seconds: s, reached } = this.outcome;
    const delay = s > 0 ? `+${brief(s)}` : '';
    if (!this.trouble()) return effect === 'refused' ? 'refused anyway' : reached ? 'goes through' : 'not sent there';
    if (effect === 'refused') return s > 0 ? `refused after ${brief(s)}` : 'refused';
    return [effect === 'mutation lost' && effect, delay].filter(Boolean).join(', ');
  }

  // signs are the words where there is little room: a few letters for each line.
  signs(isNarrow) {
    const { effect, seconds: s, reached } = this.outcome;
    if (!this.trouble()) return [effect === 'refused' ? '–' : reached ? '✓' : '·'];
    if (isNarrow) return [{ refused: '✕', 'mutation lost': 'lost' }[effect] ?? `+${brief(s).replace(' s', '')}`];
    const delay = s > 0 && (effect === 'refused' ? `after ${brief(s)}` : `+${brief(s)}`);
    return [effect !== 'delayed' && effect, delay].filter(Boolean);
  }
}

// sentence says why.
function sentence(situation) {
  const { outcome, request, down } = situation;
  const webhooks = list(outcome.webhooks).join(', ');
  if (!situation.trouble()) {
    if (outcome.effect === 'refused') return 'A policy denies this request even without the outage.';
    if (!outcome.reached) return `It goes through: no webhook of ${down.map(({ name }) => name).join(' or ')} receives this request.`;
    return webhooks ? `It goes through: the failure of ${webhooks} is ignored.` : 'It goes through.';
  }
  if (outcome.timedOut) return `It is refused when its deadline of ${brief(request.deadlineSeconds)} is over, while it waits for ${webhooks || 'webhooks'}.`;
  if (outcome.effect === 'refused') return `It is refused, because ${webhooks || 'a webhook'} fails.`;
  if (outcome.effect === 'mutation lost') return `It succeeds without the changes of ${webhooks}.`;
  return `It succeeds after it waited for ${webhooks || 'webhooks'}.`;
}

// situationDetails is everything about a situation, for the dialog.
function situationDetails(situation) {
  const { request, outcome, down } = situation;
  const colour = situation.tone() === 'wait' ? '' : situation.tone();
  return [
    el('div', { class: `status ${colour}` }, el('p', {}, sentence(situation)),
      situation.trouble() && outcome.effect === 'refused' && el('p', {}, el('b', {}, 'What breaks: '), request.breaks)),
    part('Time that it waits for webhooks', times(situation)),
    outcome.tree && part('Explanation', tree(outcome.tree)),
    part('Request', terms([
      ['Request', request.title], ['User', cut(request.user, 200)], ['ID', el('code', {}, request.id)],
      ['Given up after', brief(request.deadlineSeconds)]], { class: 'long' })),
    part(down.length === 1 ? 'Webhooks of the backend' : 'Webhooks of the backends', webhookTable(down.flatMap(({ webhooks }) => list(webhooks)))),
  ];
}

// times compares this outage, and the one of all backends, with the deadline.
function times({ data, request, outcome }) {
  const deadline = Number(request.deadlineSeconds);
  const line = (label, s, style, text) => el('li', {}, el('span', {}, label), bar(s, deadline, s > 0 ? style : 'none'), el('span', { class: 'number' }, text));
  const waits = (label, o) => line(label, Number(o.seconds ?? 0), o.timedOut ? 'bad' : '', [brief(o.seconds ?? 0), o.effect === 'refused' && ', refused']);
  return el('ul', { class: 'bare times' },
    waits('in this outage', outcome),
    data.backends.length > 1 && waits('worst case: all backends hang', data.outcomes[request.everything]),
    line('deadline of the request', deadline, 'limit', brief(deadline)));
}

function webhookTable(all) {
  const columns = [['Webhook', 'webhook'], ['Phase', 'pass'], ['failurePolicy'], ['Timeout', 'number']];
  return table('Webhooks', columns, all.slice(0, 200).map((w) => [
    el('span', { class: 'name' }, cut(w.name)), w.phase, w.failurePolicy, w.timeoutSeconds ? `${w.timeoutSeconds} s` : 'none',
  ]), { class: 'cards' });
}
