// The policies of a round: what their bindings did, and why others did nothing.

function policyRows(round) {
  const all = list(round.policies).flatMap((policy) => evaluations(policy));
  const evaluated = all.filter(({ evaluation }) => evaluation);
  const others = all.filter(({ evaluation }) => !evaluation);
  return [
    evaluated.length > 0 && chunked(el('ol', { class: 'policies' }), evaluated,
      (one) => el('li', {}, fold(policyTitle(one), () => policyDetails(one)))),
    others.length > 0 && fold(`${count(others.length, 'policy or binding', 'policies and bindings')} not evaluated`, () => notEvaluated(others)),
  ];
}

// evaluations are those of a policy. Without any there is an entry for the policy or
// binding that keeps it from being evaluated.
function evaluations(policy) {
  const bindings = list(policy.bindings);
  if (policy.error || !policy.applies || bindings.length === 0) return [{ policy, keeps: policy }];
  return bindings.flatMap((binding) => {
    const all = list(binding.evaluations);
    return all.length ? all.map((evaluation) => ({ policy, binding, evaluation })) : [{ policy, binding, keeps: binding }];
  });
}

function policyTitle({ policy, binding, evaluation }) {
  const [text, colour] = policyOutcome(binding, evaluation);
  const param = evaluation.param && `, param ${evaluation.param}`;
  return [el('span', { class: 'who' }, `policy ${head(policy.name ?? '', longest)}`, ' ',
    note(`binding ${head(binding.name ?? '', longest)}`, param)), ' ', chip(text, colour)];
}

// policyOutcome is what became of an evaluation, and its colour.
function policyOutcome(binding, evaluation) {
  const validations = list(evaluation.validations);
  const denied = validations.filter((v) => v.denied).length;
  const mutations = list(evaluation.mutations);
  const changes = mutations.reduce((sum, m) => sum + list(m.changes).length, 0);
  if (evaluation.excluded) return ['skipped by a matchCondition', ''];
  if (evaluation.error || mutations.some((m) => m.error)) return ['failed', 'bad'];
  if (denied) return [`${denied} of ${count(validations.length, 'validation')} failed: ${list(binding.actions).join(', ')}`, 'bad'];
  if (validations.length) return [`${count(validations.length, 'validation')} passed`, 'good'];
  return [`${count(mutations.length, 'mutation')}, ${count(changes, 'change')}`, 'good'];
}

function policyDetails({ evaluation }) {
  const annotations = Object.entries(evaluation.auditAnnotations ?? {});
  const failed = list(evaluation.validations).map((v, i) => ({ ...v, i })).filter((v) => v.denied);
  return [
    evaluation.excluded && el('p', {}, `The matchCondition ${evaluation.excluded} is false.`),
    evaluation.error && el('p', { class: 'status bad' }, cut(evaluation.error, 2000)),
    failed.map((v) => el('p', { class: 'status bad' }, `validations[${v.i}]: `, cut(v.message ?? '', 2000))),
    list(evaluation.mutations).map((m) => part(`mutations[${Number(m.index)}]`, mutationOf(m))),
    annotations.length > 0
      && part('Audit annotations', terms(annotations.map(([key, value]) => [cut(key), cut(value)]), { class: 'long' })),
    list(evaluation.expressions).length > 0 && part('Expressions', expressions(evaluation)),
  ];
}

function mutationOf(mutation) {
  if (mutation.error) return el('p', { class: 'status bad' }, cut(mutation.error, 2000));
  const changes = list(mutation.changes);
  return changes.length ? difference(changes, 'Changes of the object') : el('p', {}, 'The object was left as it was.');
}

function expressions(evaluation) {
  return [
    table('Expressions', [['Expression', 'mono'], ['Value', 'mono'], ['Cost', 'number']],
      evaluation.expressions.map((x) => [x.field, cut(x.error || x.value || ''), `${x.cost ?? 0}`]), { class: 'cards' }),
    el('p', { class: 'note' }, `They cost ${Number(evaluation.cost ?? 0).toLocaleString('en')} together.`),
  ];
}

function notEvaluated(others) {
  const columns = [['Policy'], ['Binding'], ['Stopped by', 'stage'], ['Why', 'why'], ['Nearest miss', 'why']];
  return table('Policies and bindings that were not evaluated', columns, others.map(({ policy, binding, keeps }) => [
    head(policy.name ?? '', longest), head(binding?.name ?? '', longest), keeps.applies ? '' : keeps.stage,
    cut(keeps.error || capital(keeps.reason ?? '') || (binding ? 'The second round did not need it.' : 'It has no binding.'), 1000), cut(keeps.hint ?? '', 1000),
  ]), { class: 'cards' });
}
