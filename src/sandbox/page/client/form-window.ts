import type { FormView } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { element } from './element.ts';
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
    { class: 'form-window', 'aria-labelledby': 'form-title', onclose: () => dialog.remove() },
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
  const { label, hint, values, required, choices, several, isMultiline } = field;
  const name = `form-field-${index}`;
  const about = hint === '' ? {} : { 'aria-describedby': `${name}-hint` };
  const explained = hint === '' ? null : element('p', { id: `${name}-hint`, class: 'form-hint' }, hint);
  if (several) return drawSeveral(field, about, explained);
  const [value = ''] = values;
  const input =
    choices === null
      ? isMultiline
        ? element('textarea', { id: name, rows: '4', required, ...about }, value)
        : element('input', { id: name, type: 'text', value, required, ...about })
      : element(
          'select',
          { id: name, required, ...about },
          ...(value === '' ? [element('option', { value: '' }, '')] : []),
          ...choices.map((choice) =>
            element('option', { value: choice.value, selected: choice.value === value }, choice.label),
          ),
        );
  const box = element(
    'div',
    { class: 'form-field' },
    element('label', { for: name }, label),
    explained,
    input,
  );
  return { box, filled: () => input.value };
}

/** Boxes to tick: a list of several needs keys that nobody knows. */
function drawSeveral({ label, values, choices }: Field, about: object, explained: Node | null) {
  const ticks = (choices ?? []).map((choice) => ({
    ...choice,
    input: element('input', {
      type: 'checkbox',
      value: choice.value,
      checked: values.includes(choice.value),
    }),
  }));
  const box = element(
    'fieldset',
    { class: 'form-field', ...about },
    element('legend', {}, label),
    explained,
    ...ticks.map((tick) => element('label', { class: 'tick' }, tick.input, tick.label)),
  );
  const filled = () => ticks.filter(({ input }) => input.checked).map(({ value }) => value);
  return { box, filled };
}
