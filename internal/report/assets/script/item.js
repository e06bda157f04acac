// One explanation, with what the page needs to know about it beside what it says.

// refusing are the outcomes that end a request. The last two do unless failurePolicy
// is Ignore.
const refusing = ['rejected', 'failed closed', 'internal error'];
const perhaps = ['canceled', 'panicked'];

class Item {
  // event says which request of a log it is; undefined if it is from none.
  constructor(explanation, number, event) {
    this.explanation = explanation;
    this.number = number;
    this.event = event;
    this.anchor = `item-${number}`;
    this.title = requestTitle(explanation.request ?? {});
    this.calls = [];
    this.skipped = [];
    for (const round of list(explanation.rounds)) {
      for (const webhook of list(round.webhooks)) this.add(round, webhook);
    }
  }

  // add sorts a visit into those that led to a call and those that did not.
  add(round, webhook) {
    const called = Boolean(webhook.call || webhook.called);
    const among = called ? this.calls : this.skipped;
    const number = among.length + 1;
    const anchor = `${this.anchor}/${called ? 'call' : 'skip'}-${number}`;
    among.push({ item: this, round, webhook, call: webhook.call ?? {}, called, number, anchor, among });
  }

  // rounds are the visits of each round, in order.
  rounds() {
    return list(this.explanation.rounds).map((round) => ({
      round,
      calls: this.calls.filter((visit) => visit.round === round),
      skipped: this.skipped.filter((visit) => visit.round === round),
    }));
  }

  // verdict is what became of the request: a word, the colour of it, and a sign.
  verdict() {
    const { allowed, undecided } = this.explanation;
    if (undecided) return { word: 'unknown', tone: 'warn', sign: '?' };
    return allowed ? { word: 'admitted', tone: 'good', sign: '✓' } : { word: 'denied', tone: 'bad', sign: '✕' };
  }

  // deniers are the webhooks that ended the request, in order: the first one's error
  // is what the user receives.
  deniers() {
    if (this.verdict().word !== 'denied') return [];
    return [...this.calls, ...this.skipped].filter((visit) => refuses(visit));
  }

  // changes counts what policies and patches did.
  changes() {
    const mutations = list(this.explanation.rounds).flatMap((round) => list(round.policies))
      .flatMap((policy) => list(policy.bindings)).flatMap((binding) => list(binding.evaluations))
      .flatMap((evaluation) => list(evaluation.mutations));
    return [...mutations, ...this.calls.map(({ call }) => call)]
      .reduce((sum, { changes }) => sum + list(changes).length, 0);
  }

  // end is the last moment that the timeline has to show.
  end() {
    const ends = this.calls.map(({ call }) => Number(call.begin ?? 0) + Number(call.seconds ?? 0));
    return Math.max(Number(this.explanation.seconds ?? 0), ...ends, 0);
  }

  // visit finds what an anchor such as call-2 stands for.
  visit(name) {
    const [, kind, number] = /^(call|skip)-(\d+)$/.exec(name ?? '') ?? [];
    return kind && (kind === 'call' ? this.calls : this.skipped)[Number(number) - 1];
  }

  // callOf finds the call in which a writer wrote.
  callOf(writer) {
    return writer.webhook && this.calls.find(({ round, webhook, call }) => round.phase === 'mutating'
      && Number(round.round) === Number(writer.round ?? 0)
      && webhook.name === writer.webhook
      && webhook.configuration === writer.configuration
      && Number(call.index ?? 0) === Number(writer.index ?? 0));
  }
}

function refuses({ webhook, call, called }) {
  if (!called) return Boolean(webhook.error);
  return refusing.includes(call.outcome)
    || (perhaps.includes(call.outcome) && webhook.spec?.failurePolicy !== 'Ignore');
}
