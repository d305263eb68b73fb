// Runs in the reader's browser: saves the answers of a blind sheet as a table.
(() => {
  const form = document.getElementById('answers');
  const output = form.querySelector('output');
  const fields = [...form.querySelectorAll('fieldset')];

  function answerOf(fieldset) {
    const item = fieldset.dataset.item;
    const answer = form.elements.namedItem(`item-${item}`).value;
    return { item, answer, comment: form.elements.namedItem(`item-${item}-comment`).value };
  }

  /** Quoted, and never a formula. */
  function cell(text) {
    return `"${text.replace(/^(?=['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/, "'").replaceAll('"', '""')}"`;
  }

  function count() {
    const answered = fields.filter((fieldset) => answerOf(fieldset).answer !== '').length;
    output.textContent = `${answered} of ${fields.length} answered`;
  }

  form.addEventListener('input', count);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const rows = fields.map(answerOf).map(({ item, answer, comment }) => {
      return [cell(form.dataset.sample), item, cell(answer), cell(comment)].join(',');
    });
    const text = `${['sample,item,answer,comment', ...rows].join('\n')}\n`;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
    link.download = 'blind-answers.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  });
  count();
})();
