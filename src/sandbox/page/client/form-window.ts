import type { FormView } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { element } from './element.ts';
import { findFocusedControl, focusAgain } from './focus.ts';
import { LOST, REFUSED } from './text.ts';

/** Wraps the connection: a form in an answer is shown, filled in and sent. */
export function withForms(connection: Connection): Connection {
  return {
    async ask(action) {
      const answer = await connection.ask(action);
      const form = answer.ok ? answer.outcome?.form : null;
      if (form) showForm(form, connection);
      return answer;
    },
  };
}

function showForm({ interactionId, title, fields }: FormView, connection: Connection): void {
  const opener = findFocusedControl();
  const problem = element('p', { class: 'problem', role: 'alert', hidden: true });
  const inputs = fields.map((field, index) => ({ id: field.id, ...drawField(field, index) }));
  const submit = element('button', { type: 'submit', class: 'button primary' }, 'Submit');
  const cancel = element(
    'button',
    { type: 'button', class: 'button', onclick: () => dialog.close() },
    'Cancel',
  );
  const dialog = element(
    'dialog',
    { class: 'form-window', 'aria-labelledby': 'form-title', onclose: close },
    element(
      'form',
      { method: 'dialog', onsubmit: send },
      element('h2', { id: 'form-title' }, title),
      ...inputs.map(({ box }) => box),
      problem,
      element('div', { class: 'form-buttons' }, cancel, submit),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();

  /** The browser gives the focus back to what opened it, unless that was drawn anew meanwhile. */
  function close(): void {
    dialog.remove();
    if (opener !== null && document.activeElement === document.body) focusAgain(opener);
  }

  /** Keeps the input until it has arrived. */
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    submit.disabled = true;
    const filled = Object.fromEntries(inputs.map(({ id, filled: read }) => [id, read()]));
    const answer = await connection.ask({ type: 'submit', interactionId, filled });
    if (answer.ok && answer.outcome?.acknowledged !== 'failed') return dialog.close();
    problem.textContent = answer.ok
      ? 'Something went wrong. Try again.'
      : answer.reason === null
        ? LOST
        : REFUSED;
    problem.hidden = false;
    submit.disabled = false;
  }
}

type Field = FormView['fields'][number];

function drawField(field: Field, index: number) {
  const { label, hint, values, required, look } = field;
  const name = `form-field-${index}`;
  const about = hint === '' ? {} : { 'aria-describedby': `${name}-hint` };
  const explained = hint === '' ? null : element('p', { id: `${name}-hint`, class: 'form-hint' }, hint);
  const [value = ''] = values;
  switch (look) {
    case 'radios':
    case 'boxes':
      return drawGroup(field, name, about, explained);
    case 'box': {
      const input = element('input', { id: name, type: 'checkbox', checked: value !== '', ...about });
      const box = element(
        'div',
        { class: 'form-field' },
        element('label', { class: 'tick' }, input, label),
        explained,
      );
      return { box, filled: () => (input.checked ? 'true' : '') };
    }
    default: {
      const input = drawInput(field, { id: name, required, ...about });
      const box = element(
        'div',
        { class: 'form-field' },
        element('label', { for: name }, label),
        explained,
        input,
      );
      return { box, filled: () => input.value };
    }
  }
}

function drawInput({ look, values, choices }: Field, about: Readonly<Record<string, string | boolean>>) {
  const [value = ''] = values;
  if (look === 'line') return element('input', { type: 'text', value, ...about });
  if (look === 'paragraph') return element('textarea', { rows: '4', ...about }, value);
  return element(
    'select',
    about,
    ...(value === '' ? [element('option', { value: '' }, '')] : []),
    ...choices.map((choice) =>
      element('option', { value: choice.value, selected: choice.value === value }, choice.label),
    ),
  );
}

/** Choices side by side: a list of several needs keys that nobody knows. */
function drawGroup(
  { label, values, choices, look, required }: Field,
  name: string,
  about: object,
  explained: Node | null,
) {
  const isRadio = look === 'radios';
  const ticks = choices.map(({ value, label: text, hint }, at) => {
    const hintId = `${name}-${at}-hint`;
    const input = element('input', {
      type: isRadio ? 'radio' : 'checkbox',
      name,
      value,
      checked: values.includes(value),
      required: isRadio && required,
      'aria-describedby': hint === '' ? null : hintId,
    });
    const line = hint === '' ? null : element('p', { id: hintId, class: 'form-hint' }, hint);
    return { value, input, row: element('div', {}, element('label', { class: 'tick' }, input, text), line) };
  });
  const box = element(
    'fieldset',
    { class: 'form-field', ...about },
    element('legend', {}, label),
    explained,
    ...ticks.map(({ row }) => row),
  );
  const filled = () => ticks.filter(({ input }) => input.checked).map(({ value }) => value);
  return { box, filled };
}
