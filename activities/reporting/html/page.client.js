// Runs in the reader's browser, from inside the page. It puts text in as text alone, never as markup.
(() => {
  const dialog = document.getElementById('transcript');
  const dialogBody = document.getElementById('transcript-body');
  const dialogTitle = document.getElementById('transcript-title');

  /** A match's texts are those of the hypotheses' own blocks, copied when it is opened. */
  function fillSides(match) {
    for (const side of match.querySelectorAll('[data-text-of]')) {
      const text = document.getElementById(side.dataset.textOf)?.querySelector('.text');
      if (text && !side.querySelector('.text')) side.replaceChildren(text.cloneNode(true));
    }
  }

  document.addEventListener(
    'toggle',
    (event) => {
      const { target } = event;
      if (target instanceof HTMLDetailsElement && target.open && target.matches('.match')) fillSides(target);
    },
    true,
  );

  async function unpack(packed) {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return JSON.parse(await new Response(stream).text());
  }

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  /** JSON for reading: long texts with their own line breaks, everything else indented. */
  function readable(value, indent) {
    if (typeof value === 'string') {
      if (value.length <= 80 && !value.includes('\n')) return JSON.stringify(value);
      return `|\n${value
        .split('\n')
        .map((line) => indent + line)
        .join('\n')}`;
    }
    if (Array.isArray(value)) {
      if (value.length === 0) return '[]';
      return value.map((item) => `\n${indent}- ${readable(item, `${indent}  `).trimStart()}`).join('');
    }
    if (value !== null && typeof value === 'object') {
      const entries = Object.entries(value);
      if (entries.length === 0) return '{}';
      return entries.map(([name, item]) => `\n${indent}${name}: ${readable(item, `${indent}  `)}`).join('');
    }
    return String(value);
  }

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }

  function showAttempt(attempt) {
    const facts = [`attempt ${attempt.attempt}`, attempt.state.replace('_', ' '), attempt.model];
    if (attempt.reportedModel) facts.push(`answered as ${attempt.reportedModel}`);
    if (attempt.failure) facts.push(attempt.failure);
    if (attempt.httpStatus) facts.push(`HTTP ${attempt.httpStatus}`);
    facts.push(attempt.costUsd === null ? 'cost unknown' : `$${attempt.costUsd}`);
    facts.push(`${attempt.inputTokens ?? '?'} tokens in, ${attempt.outputTokens ?? '?'} out`);
    if (attempt.latencyMs !== null) facts.push(`${attempt.latencyMs} ms`);
    facts.push(attempt.sentAt);
    const request = readable(parsed(attempt.request), '').trim();
    const response = attempt.response === null ? 'none' : readable(parsed(attempt.response), '').trim();
    return [
      element('p', facts.join(' · '), 'note'),
      element('h4', 'Request'),
      element('pre', request),
      element('h4', 'Response'),
      element('pre', response),
    ];
  }

  async function openTranscript(key, group) {
    dialogTitle.textContent = key;
    dialogBody.replaceChildren(element('p', 'Unpacking…', 'note'));
    dialog.showModal();
    const block = document.querySelector(`script[data-group="${CSS.escape(group)}"]`);
    try {
      const calls = await unpack(block.textContent.trim());
      const attempts = calls[key];
      dialogBody.replaceChildren(...attempts.flatMap(showAttempt));
      dialogBody.scrollTop = 0;
    } catch (error) {
      dialogBody.replaceChildren(element('p', `This browser cannot unpack it: ${error.message}`));
    }
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) {
      if (event.target === dialog) dialog.close();
      return;
    }
    if (button.dataset.transcript) void openTranscript(button.dataset.transcript, button.dataset.in);
    else if (button.closest('dialog')) dialog.close();
  });

  function matchesFilter(item, { label, kind, words }) {
    const { a, b, label: own } = item.dataset;
    if (label && label !== own && label !== a && label !== b) return false;
    if (kind && kind !== item.dataset.kind) return false;
    return !words || item.textContent.toLowerCase().includes(words.toLowerCase());
  }

  for (const form of document.querySelectorAll('form.filter')) {
    const items = [...form.parentElement.querySelectorAll(`details.${form.dataset.filters}`)];
    const apply = () => {
      const wanted = Object.fromEntries(new FormData(form));
      let shown = 0;
      for (const item of items) {
        item.hidden = !matchesFilter(item, wanted);
        if (!item.hidden) shown += 1;
      }
      form.querySelector('output').textContent = `${shown} of ${items.length}`;
    };
    form.addEventListener('input', apply);
    form.addEventListener('submit', (event) => event.preventDefault());
    apply();
  }

  /** The summary before or after the one that has the focus, among those that are shown. */
  function step(distance) {
    const all = [...document.querySelectorAll('.list > details:not([hidden]) > summary')];
    const at = all.indexOf(document.activeElement);
    const first = all.findIndex((summary) => summary.getBoundingClientRect().top >= 0);
    const next = at < 0 ? all[Math.max(0, first)] : all[at + distance];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  }

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest('input, select, textarea')) return;
    if (event.key === 'j') step(1);
    else if (event.key === 'k') step(-1);
  });

  function openTarget() {
    const target =
      location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
  }

  addEventListener('hashchange', openTarget);
  openTarget();
})();
