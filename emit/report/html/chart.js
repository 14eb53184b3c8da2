// The chain as bars in time, and the trace of one fault on them.
const parts = ['work', 'room', 'left', 'late'];
const partWords = ['the callee may take this', 'room for its error', 'left under the limit', 'too late: nobody waits'];
const endings = ['open', 'answered', 'gaveup', 'failed'];

// chart draws the calls of a way under a fault. What moves is left in `moving`.
function chart(way, fault, findings) {
  const axis = data.axes[fault.axis];
  const moving = {axis, spans: [], cursors: []};
  const rows = el('ol', {class: 'rows', 'aria-label': 'The calls, from the person inward'});
  way.hops.forEach((hop, i) => {
    const span = fault.spans.find(s => s[0] === i);
    rows.append(callRow(hop, i, span, fault, axis, moving, findings.filter(f => f.hop === i)));
    if (fault.hop === i) rows.append(faultRow(hop, fault, axis, moving));
  });
  const figure = el('figure', {class: 'chart'}, axisLine(axis), rows, legend(fault));
  return {figure, moving};
}

function axisLine(axis) {
  return el('div', {class: 'axis', 'aria-hidden': 'true'}, axis.ticks.map(t => {
    const tick = el('span', {}, t.text);
    tick.style.left = share(axis, t.at) + '%';
    return tick;
  }));
}

// track is the time of one row, with lines at the ticks and the moving cursor.
function track(axis, moving) {
  const t = el('div', {class: 'track', 'aria-hidden': 'true'}, axis.ticks.map(x => {
    const line = el('i', {class: 'tick'});
    line.style.left = share(axis, x.at) + '%';
    return line;
  }));
  const cursor = el('i', {class: 'cursor'});
  moving.cursors.push(cursor);
  t.append(cursor);
  return t;
}

function callRow(hop, index, span, fault, axis, moving, findings) {
  if (fault.bar && fault.gives[0] === index) hop = {...hop, ...fault.bar};
  const line = track(axis, moving);
  for (const [part, from, to] of hop.segments) {
    const bar = stretch(el('i', {class: 'bar ' + parts[part] + (endless(axis, to) ? ' endless' : '')}), axis, from, to);
    line.append(bar);
  }
  if (hop.limit >= 0) {
    const cap = el('i', {class: 'cap'});
    cap.style.left = share(axis, hop.limit) + '%';
    line.append(cap);
  }
  if (span) line.append(...wait(span, fault, axis, moving));
  const none = hop.limit < 0;
  return el('li', {class: 'row' + (span ? '' : ' unreached')},
    el('div', {class: 'who'}, el('b', {}, text(hop.from)), el('span', {}, (span ? ' waits for ' : ' does not call ') + text(hop.to))),
    line,
    el('div', {class: 'value'}, el('b', {class: none ? 'none' : null}, text(hop.value)),
      el('span', {class: 'notes'}, el('span', {class: /late|nothing/.test(text(hop.left)) ? 'none' : null}, text(hop.left)), ' ', source(text(hop.source), text(hop.href)))),
    findings.length ? el('ul', {class: 'findings'}, findings.map(found)) : null);
}

// wait is how long a call is really waited on: a line, and the sign of its end.
function wait(span, fault, axis, moving) {
  const [hop, from, to, end] = span;
  const line = stretch(el('i', {class: 'wait'}), axis, from, to);
  const mark = el('i', {class: 'mark ' + endings[end]});
  mark.style.left = share(axis, to) + '%';
  moving.spans.push({line, mark, from, to});
  const out = [line, mark];
  if (fault.gives && fault.gives[0] === hop && end === 2) {
    const note = el('i', {class: 'note' + (share(axis, to) > 60 ? ' before' : '')}, 'gives up first');
    note.style.left = share(axis, to) + '%';
    moving.spans[moving.spans.length - 1].note = note;
    out.push(note);
  }
  return out;
}

function faultRow(hop, fault, axis, moving) {
  const line = track(axis, moving);
  const [from, to] = fault.lasts;
  if (from === to) {
    const at = el('i', {class: 'burst'});
    at.style.left = share(axis, from) + '%';
    line.append(at);
  } else {
    line.append(stretch(el('i', {class: 'bar broken' + (endless(axis, to) ? ' endless' : '')}), axis, from, to));
  }
  return el('li', {class: 'row wrong'},
    el('div', {class: 'who'}, el('b', {}, text(hop.to)), el('span', {}, ' goes wrong')),
    line,
    el('div', {class: 'value'}, el('b', {}, text(fault.does))));
}

function found(f) {
  return el('li', {class: f.severity},
    el('b', {}, f.severity), ' ', text(f.message), ' ', el('code', {}, f.rule), ' ', source(text(f.place), text(f.href)),
    f.fixes.length ? el('ul', {}, f.fixes.map((fix, i) => el('li', {}, (i ? 'or: ' : 'fix: ') + text(fix)))) : null);
}

function legend(fault) {
  const item = (name, words) => el('li', {}, el('i', {class: name, 'aria-hidden': 'true'}), words);
  return el('figcaption', {}, el('ul', {class: 'legend'},
    parts.map((p, i) => item('bar ' + p, partWords[i])),
    item('wait', 'waited under this fault'),
    fault.gives ? item('mark gaveup', 'gives up') : null));
}
