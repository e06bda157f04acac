// Numbers, times and names as people read them.

function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

// seconds has three digits and the unit that fits.
function seconds(value) {
  const s = Number(value);
  if (!(s > 0)) return '0 ms';
  if (s < 0.001) return `${digits(s * 1e6)} µs`;
  if (s < 1) return `${digits(s * 1e3)} ms`;
  if (s < 120) return `${digits(s)} s`;
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
}

// brief is a number of seconds without digits that say nothing.
function brief(s) {
  return s < 120 ? `${Number(Number(s).toPrecision(3))} s` : seconds(s);
}

function digits(n) {
  return n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2);
}

// ticks divides a time into up to six parts of 1, 2 or 5 times a power of ten.
function ticks(total) {
  if (!(total > 0)) return [0];
  const rough = total / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const all = [];
  // Multiplied, not added up, so that no tick is 0.30000000000000004.
  for (let i = 0; i * step <= total * 0.97; i += 1) all.push(i * step);
  return all;
}

// tick is a time on an axis: no digits that say nothing.
function tick(s) {
  if (s === 0) return '0';
  if (s < 0.001) return `${Number((s * 1e6).toPrecision(3))} µs`;
  return s < 1 ? `${Number((s * 1e3).toPrecision(3))} ms` : `${Number(s.toPrecision(3))} s`;
}

// capital begins a sentence.
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// requestTitle is for example "CREATE pods/exec prod/web".
function requestTitle(request) {
  return `${request.operation} ${requestSubject(request)}`;
}

function requestSubject(request) {
  const object = [request.namespace, request.name].filter(Boolean).join('/');
  return [resourceName(request.resource?.resource, request.subresource), object].filter(Boolean).join(' ');
}

function resourceName(resource, subresource) {
  return subresource ? `${resource}/${subresource}` : resource ?? '';
}

// versioned is for example "deployments.v1.apps", as kubectl takes it.
function versioned(resource, subresource) {
  if (!resource) return '';
  const name = [resource.resource ?? resource.kind, resource.version, resource.group].filter(Boolean).join('.');
  return subresource ? `${name}/${subresource}` : name;
}

function roundTitle(round) {
  return round.phase === 'mutating' ? `Mutating, round ${Number(round.round)}` : capital(round.phase);
}

// tone is the colour of an outcome. The words are always beside it.
function tone(outcome) {
  switch (outcome) {
    case 'allowed': return 'good';
    case 'failed open': case 'canceled': case 'not reached': return 'warn';
    default: return 'bad';
  }
}

// labels is a set of labels as kubectl prints it.
function labels(set) {
  const all = Object.entries(set ?? {}).map(([key, value]) => (value === '' ? key : `${key}=${value}`));
  return all.length ? all.sort().join(', ') : 'none';
}

// selector is a label selector in the notation of kubectl's -l.
function selector(s) {
  if (!s) return 'absent: it selects nothing';
  const all = Object.entries(s.matchLabels ?? {}).sort().map(([key, value]) => `${key}=${value}`);
  for (const { key, operator, values } of s.matchExpressions ?? []) {
    const list = `(${(values ?? []).join(', ')})`;
    all.push({ In: `${key} in ${list}`, NotIn: `${key} notin ${list}`, Exists: key, DoesNotExist: `!${key}` }[operator]
      ?? `${key} ${operator} ${list}`);
  }
  return all.length ? all.join(', ') : 'everything';
}

// rule is a rule of a webhook on one line.
function rule(r) {
  const part = (name, list) => (list?.length ? `${name} ${list.map((v) => (v === '' ? '""' : v)).join(', ')}` : '');
  return [
    (r.operations ?? []).join(', '),
    part('of', r.resources), part('in group', r.apiGroups), part('version', r.apiVersions),
    r.scope && r.scope !== '*' ? `${r.scope} only` : '',
  ].filter(Boolean).join(' ');
}
