// The texts of the page whose colour is too near to what is behind them, by the
// rule of WCAG 2.2, 1.4.3 (AA): 4.5, and 3 for large text.
(() => {
  const parse = c => {
    const [r, g, b, a = 1] = c.match(/[\d.]+/g).map(Number);
    return {rgb: [r, g, b], a};
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const {rgb, a} = parse(getComputedStyle(e).backgroundColor);
      if (a === 1) return rgb;
      if (a > 0) throw new Error('a background that shines through');
    }
    throw new Error('no background');
  };
  const bad = [];
  let seen = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const e = node.parentElement;
    if (!node.data.trim() || !e.checkVisibility({opacityProperty: true, visibilityProperty: true}) || e.closest('script, noscript, .skip')) continue;
    for (let up = e; up; up = up.parentElement) {
      if (getComputedStyle(up).opacity !== '1') bad.push('faint: ' + node.data);
    }
    const style = getComputedStyle(e);
    const [a, b] = [luminance(parse(style.color).rgb), luminance(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || size >= 18.66 && +style.fontWeight >= 700;
    seen++;
    if (ratio < (large ? 3 : 4.5)) bad.push(ratio.toFixed(2) + ' ' + e.className + ': ' + node.data);
  }
  return {seen, bad: [...new Set(bad)]};
})()
