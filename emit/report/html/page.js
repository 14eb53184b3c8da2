// The page: the list of routes, and the one that is looked at.
const main = byId('route');
const links = [...document.querySelectorAll('#routes a')];
let playing = null;

// show draws one route; nothing of the others is in the document.
function show(index, focus) {
  const route = data.routes[index];
  if (!route) return;
  if (playing) playing.stop();
  const way = data.ways[route.way];
  links.forEach((a, i) => i === index ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current'));
  const stray = route.findings.filter(f => f.hop < 0);
  main.replaceChildren(
    el('p', {class: 'about'}, text(route.about)),
    el('h1', {}, route.title),
    way.faults.length ? pickable(way, route) : el('p', {}, 'Nothing can go wrong here: the route makes no call.'),
    stray.length ? el('ul', {class: 'findings'}, stray.map(found)) : '',
    pools(way) || '',
    el('section', {}, el('h2', {}, 'Every timer, and where it is from'), way.hops.map(timers)));
  if (focus) main.focus();
}

// pickable is what changes with the fault that is picked.
function pickable(way, route) {
  const first = el('p', {class: 'first'});
  const then = el('p', {class: 'then'});
  const stage = el('div', {class: 'stage'});
  const layer = el('select', {'aria-label': 'The layer that goes wrong', on: {change: () => choose(near(), true)}});
  const kind = el('select', {'aria-label': 'What it does', on: {change: () => choose(+kind.value, true)}});
  const hops = [...new Set(way.faults.map(f => f.hop))];
  layer.append(...hops.map(h => {
    const hop = way.hops[h];
    const twice = way.hops.filter(x => x.to === hop.to).length > 1;
    return el('option', {value: h}, text(hop.to) + (twice ? ' (for ' + text(hop.from) + ')' : ''));
  }));
  let chosen = way.main;
  const table = matrix(way, chosen, choose);

  // near is the same fault at the layer that was picked, or that layer's first.
  function near() {
    const there = way.faults.map((f, i) => [f, i]).filter(([f]) => f.hop === +layer.value);
    return (there.find(([f]) => f.kind === way.faults[chosen].kind) || there[0])[1];
  }

  function choose(i, play) {
    if (playing) playing.stop();
    chosen = i;
    const f = way.faults[i];
    layer.value = f.hop;
    kind.replaceChildren(...way.faults.map((x, n) => x.hop === f.hop ? el('option', {value: n}, text(x.does)) : ''));
    kind.value = i;
    first.textContent = text(f.first);
    then.textContent = text(f.then);
    verdict.className = 'verdict ' + f.tone;
    const {figure, moving} = chart(way, f, route.findings);
    playing = player(f, moving);
    stage.replaceChildren(figure, playing.list);
    table.show(i);
    if (play) playing.play();
  }

  const verdict = el('section', {class: 'verdict', 'aria-label': 'Who gives up first'},
    el('p', {class: 'when'}, 'When ', layer, ' ', kind),
    el('div', {'aria-live': 'polite'}, first, then));
  choose(chosen, false);
  return el('div', {}, verdict, stage, el('section', {}, el('h2', {}, 'Every fault at a glance'), table.table));
}

function fromAddress(focus) {
  const m = /^#r(\d+)$/.exec(location.hash);
  show(m ? +m[1] : 0, focus && m);
}

const filter = byId('filter');
function narrow() {
  const words = filter.value.toLowerCase().split(/\s+/);
  let n = 0;
  for (const a of links) {
    const hit = words.every(w => a.textContent.toLowerCase().includes(w));
    a.parentElement.hidden = !hit;
    n += hit;
  }
  byId('shown').textContent = n + ' of ' + links.length + ' shown';
}

// Arrow keys go along the routes that are shown, from the filter on.
function along(event) {
  const seen = links.filter(a => !a.parentElement.hidden);
  const at = seen.indexOf(document.activeElement);
  const to = {ArrowDown: at + 1, ArrowUp: at - 1, Home: event.target === filter ? null : 0, End: event.target === filter ? null : seen.length - 1}[event.key];
  if (to === undefined || to === null || !seen.length) return;
  event.preventDefault();
  if (to < 0) filter.focus();
  else seen[Math.min(to, seen.length - 1)].focus();
}

filter.addEventListener('input', narrow);
document.querySelector('nav').addEventListener('keydown', along);
window.addEventListener('hashchange', () => fromAddress(true));

// On paper nothing can be opened.
let closed = [];
window.addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('details:not([open])')];
  for (const d of closed) d.open = true;
});
window.addEventListener('afterprint', () => closed.forEach(d => { d.open = false; }));

narrow();
fromAddress(false);
