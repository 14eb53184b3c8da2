// What the rest is made of: elements, texts of the report, and places on an axis.
const data = JSON.parse(document.getElementById('data').textContent);
const text = i => data.texts[i];
const byId = id => document.getElementById(id);
const still = matchMedia('(prefers-reduced-motion: reduce)');

// el makes an element. Words are always set as text, so that no name is markup.
function el(tag, attrs, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs || {})) {
    if (name === 'on') {
      for (const [event, f] of Object.entries(value)) e.addEventListener(event, f);
    } else if (value !== null && value !== undefined && value !== false) {
      e.setAttribute(name, value);
    }
  }
  e.append(...children.flat().filter(c => c !== null && c !== undefined && c !== ''));
  return e;
}

// source is where a value is from, as a link where that is a line of a file.
function source(words, href) {
  if (!words) return '';
  return href ? el('a', {href, class: 'source'}, words) : el('span', {class: 'source'}, words);
}

// share is where a time stands on an axis, in percent; what never comes is at its end.
function share(axis, at) {
  return at < 0 || at > axis.max ? 100 : 100 * at / axis.max;
}

// stretch places an element between two times.
function stretch(e, axis, from, to) {
  e.style.left = share(axis, from) + '%';
  e.style.width = Math.max(share(axis, to) - share(axis, from), 0) + '%';
  return e;
}

// scroller is a table that may be wider than the page, with a word that it goes on where
// it does.
function scroller(table) {
  const inner = el('div', {class: 'scroll'}, table);
  const hint = el('p', {class: 'quiet more', 'aria-hidden': 'true'}, 'goes on to the right →');
  hint.hidden = true;
  const look = () => { hint.hidden = inner.scrollWidth - inner.clientWidth - inner.scrollLeft < 2; };
  inner.addEventListener('scroll', look, {passive: true});
  new ResizeObserver(look).observe(inner);
  return el('div', {class: 'scroller'}, hint, inner);
}

// endless reports whether a stretch goes on behind the axis.
const endless = (axis, to) => to < 0 || to > axis.max;
