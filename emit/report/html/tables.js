// Everything that is not a bar in time: the faults at a glance, the timers with
// their origins, and the pools.

// matrix is a table of every fault at every call; a cell is a button that plays it.
// Arrow keys move in it as in a grid.
function matrix(way, chosen, choose) {
  const kinds = data.kinds.filter(k => way.faults.some(f => f.kind === k));
  const names = way.hops.map(h => way.hops.filter(x => x.to === h.to).length > 1 ? text(h.from) + ' → ' + text(h.to) : text(h.to));
  const buttons = [];
  const head = el('tr', {role: 'row'}, el('td', {role: 'columnheader', 'aria-label': 'Fault'}), names.map(n => el('th', {scope: 'col', role: 'columnheader'}, n)));
  const rows = kinds.map((kind, y) => el('tr', {role: 'row'}, el('th', {scope: 'row', role: 'rowheader'}, text(kind)), way.hops.map((_, x) => {
    const i = way.faults.findIndex(f => f.kind === kind && f.hop === x);
    if (i < 0) return el('td', {role: 'gridcell', class: 'empty'}, '–');
    const f = way.faults[i];
    const b = el('button', {
      type: 'button', class: f.tone, 'data-fault': i, tabindex: i === chosen ? 0 : -1,
      'aria-pressed': String(i === chosen), on: {click: () => choose(i, true)},
    }, text(f.cell));
    b.place = [y, x];
    buttons.push(b);
    return el('td', {role: 'gridcell'}, b);
  })));
  const table = el('table', {role: 'grid', class: 'matrix', 'aria-label': 'Every fault at every place', on: {keydown: move}}, el('thead', {role: 'rowgroup'}, head), el('tbody', {role: 'rowgroup'}, rows));

  function move(event) {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    const from = event.target.place;
    if (!step || !from) return;
    event.preventDefault();
    let [y, x] = from;
    for (;;) {
      y += step[0];
      x += step[1];
      if (y < 0 || x < 0 || y >= kinds.length || x >= way.hops.length) return;
      const to = buttons.find(b => b.place[0] === y && b.place[1] === x);
      if (to) {
        to.focus();
        return;
      }
    }
  }

  function show(i) {
    for (const b of buttons) {
      const on = +b.dataset.fault === i;
      b.setAttribute('aria-pressed', String(on));
      b.tabIndex = on ? 0 : -1;
    }
  }
  return {table: scroller(table), show};
}

// timers is one call with every limit of both its sides.
function timers(hop) {
  const rows = hop.timers.map(([value, kind, name, from, href, proof, left]) => el('tr', {},
    el('td', {class: 'number'}, text(value)), el('th', {scope: 'row'}, text(name)), el('td', {}, text(kind)),
    el('td', {}, source(text(from), text(href))), el('td', {}, text(proof)), el('td', {class: 'number'}, text(left))));
  const head = ['value', 'setting', 'bounds', 'from', 'fact', 'left'].map(h => el('th', {scope: 'col'}, h));
  return el('details', {class: 'call'},
    el('summary', {}, el('b', {}, text(hop.from) + ' → ' + text(hop.to)), ' ', text(hop.ends)),
    scroller(el('table', {class: 'timers'}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows))),
    (hop.unknown || []).map(u => el('p', {class: 'quiet'}, 'not checked: ' + text(u))));
}

// pools are the connections that a caller may have open against those it needs.
function pools(way) {
  const with_ = way.hops.filter(h => h.pool);
  if (!with_.length) return null;
  return el('section', {class: 'pools'}, el('h2', {}, 'Pools against need'), el('ul', {}, with_.map(h => {
    const {size, need} = h.pool;
    const most = Math.max(size, need || 0);
    const bar = (name, n) => {
      const b = el('i', {class: 'bar ' + name});
      b.style.width = 100 * n / most + '%';
      return b;
    };
    return el('li', {},
      el('div', {class: 'who'}, el('b', {}, text(h.from) + ' → ' + text(h.to))),
      el('div', {class: 'track pair', 'aria-hidden': 'true'}, bar('left', size), need === undefined ? null : bar(need > size ? 'late' : 'work', need)),
      el('div', {class: 'value'}, el('span', {class: need > size ? 'none' : null}, text(h.pool.text) + (need > size ? ': too few' : ''))));
  })));
}
