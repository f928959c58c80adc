
'use strict';
(() => {
  const form = document.getElementById('filters');
  const groups = [...document.querySelectorAll('details.group')];
  const kinds = [...document.querySelectorAll('.kind')];
  const findings = [...document.querySelectorAll('article.finding')];
  const field = (name) => form && form.elements.namedItem(name);
  const value = (name) => (field(name) ? field(name).value : '');

  // the text of a finding is read once, when somebody first searches
  const texts = new Map();
  const text = (one) => {
    if (!texts.has(one)) {
      const head = one.closest('details').querySelector('summary').textContent;
      texts.set(one, (head + ' ' + one.textContent).toLowerCase());
    }
    return texts.get(one);
  };
  const owned = (one, by) =>
    !by || (by === '-' ? !one.dataset.o.trim() : one.dataset.o.includes(' ' + by + ' '));
  const matches = (one, wanted) =>
    (!wanted.l || one.dataset.l === wanted.l) &&
    (!wanted.u || one.dataset.u.includes(' ' + wanted.u + ' ')) &&
    (!wanted.r || one.dataset.r.includes(' ' + wanted.r + ' ')) &&
    owned(one, wanted.o) &&
    (!wanted.n || one.dataset.n !== '') &&
    (!wanted.q || text(one).includes(wanted.q));

  const filter = () => {
    const wanted = { l: value('l'), u: value('u'), r: value('r'), o: value('o'), q: value('q').trim().toLowerCase() };
    wanted.n = Boolean(field('n') && field('n').checked);
    let shown = 0;
    for (const one of findings) {
      one.hidden = !matches(one, wanted);
      shown += one.hidden ? 0 : 1;
    }
    for (const group of groups) group.hidden = !group.querySelector('article.finding:not([hidden])');
    for (const kind of kinds) kind.hidden = !kind.querySelector('details.group:not([hidden])');
    const count = document.getElementById('count');
    count.textContent = count.dataset.text.replace('{shown}', shown).replace('{all}', findings.length);
  };

  // a link to a finding shows it, whatever is filtered or closed
  const show = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const group = target && target.closest('details.group');
    if (!group) return;
    if (target.hidden || group.hidden) { form.reset(); filter(); }
    group.open = true;
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  };

  if (form) {
    form.hidden = false;
    form.addEventListener('input', filter);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('reset', () => setTimeout(filter));
    const all = (open) => () => { for (const group of groups) if (!group.hidden) group.open = open; };
    document.getElementById('open').addEventListener('click', all(true));
    document.getElementById('close').addEventListener('click', all(false));
    filter();
  }
  const owners = document.getElementById('exchange-owners');
  if (owners) {
    owners.hidden = false;
    owners.addEventListener('input', (event) => {
      for (const one of document.querySelectorAll('tbody.exchange')) one.hidden = !owned(one, event.target.value);
    });
  }
  addEventListener('hashchange', show);
  show();

  let closed = [];
  addEventListener('beforeprint', () => {
    closed = groups.filter((group) => !group.open && !group.hidden);
    for (const group of closed) group.open = true;
  });
  addEventListener('afterprint', () => { for (const group of closed) group.open = false; });
})();
