// The trace of a fault as a list, and its play on the bars.
const playFor = 2600; // milliseconds for the whole way, however long it takes in truth

// player plays a fault on what moves in its chart. It shows the end at first.
function player(fault, moving) {
  const times = [...new Set(fault.lines.map(l => l.at))];
  const finite = times.filter(t => t >= 0);
  const last = fault.spans.some(s => s[2] < 0) || !finite.length ? moving.axis.max : Math.max(...finite);
  const items = fault.lines.map(l => el('li', {}, el('time', {}, text(l.time)), el('span', {}, el('b', {}, text(l.who)), ' ', text(l.what))));
  const steps = Math.max(times.length, 1);
  const slider = el('input', {type: 'range', min: 0, max: steps, value: steps, 'aria-label': 'Step of the trace', on: {input: () => { stop(); step(+slider.value); }}});
  const button = el('button', {type: 'button', class: 'play', on: {click: play}}, 'Play');
  let frame = 0;

  function draw(t) {
    for (const s of moving.spans) {
      const over = s.to >= 0 && s.to <= t;
      stretch(s.line, moving.axis, s.from, Math.max(s.from, over ? s.to : Math.min(t, moving.axis.max)));
      s.mark.hidden = !(over || (s.to < 0 && t >= last));
      if (s.note) s.note.hidden = s.mark.hidden;
    }
    for (const c of moving.cursors) {
      c.hidden = t >= last;
      c.style.left = share(moving.axis, t) + '%';
    }
    fault.lines.forEach((l, i) => {
      const past = l.at < 0 ? t >= last : l.at <= t;
      items[i].classList.toggle('past', past);
    });
  }

  // step goes to a moment of the trace; 0 is before all of them.
  function step(n) {
    const at = n >= steps ? last : n > 0 ? times[n - 1] : -1;
    slider.value = n;
    const now = fault.lines.filter(l => l.at === times[n - 1]);
    slider.setAttribute('aria-valuetext', n === 0 ? 'before the call' : now.map(l => text(l.time) + ' ' + text(l.who) + ' ' + text(l.what)).join('; ') || 'the end');
    draw(n === 0 ? 0 : at < 0 ? last : at);
  }

  function stop() {
    cancelAnimationFrame(frame);
    frame = 0;
  }

  function play() {
    stop();
    if (still.matches || last === 0) {
      step(steps);
      return;
    }
    let began = 0;
    const tick = now => {
      began = began || now;
      const t = Math.min((now - began) / playFor, 1) * last;
      draw(t);
      slider.value = t >= last ? steps : times.filter(x => x >= 0 && x <= t).length;
      if (t < last) frame = requestAnimationFrame(tick);
      else step(steps);
    };
    frame = requestAnimationFrame(tick);
  }

  step(steps);
  const list = el('section', {class: 'trace', 'aria-label': 'What happens'},
    el('h2', {}, 'What happens'), el('div', {class: 'controls'}, button, slider),
    el('ol', {class: 'events'}, items),
    el('p', {class: 'outcome ' + fault.tone}, text(fault.then)));
  return {list, play, stop};
}
