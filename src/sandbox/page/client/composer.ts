import type { Answer, CommandView, HintView } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { createDraft, type Draft } from './draft.ts';
import { element } from './element.ts';
import { createListbox } from './listbox.ts';
import { createPlainField } from './plain-field.ts';

interface Composer {
  setCommands(commands: readonly CommandView[]): void;
  /** `title`: as it is written, `#general`. */
  setPlace(id: string, title: string, commands: readonly CommandView[]): void;
  /** Fills a command in, ready to be sent. */
  fill(hint: HintView): void;
  /** Starts that command, as if picked from the list. */
  open(command: string): void;
  focus(): void;
}

interface Needs {
  readonly host: HTMLElement;
  readonly connection: Connection;
  /** A command was sent. */
  invoked(channelId: string, command: string, answer: Promise<Answer>): void;
}

/** The input field: plain text, or after a `/` a command with its options. */
export function createComposer({ host, connection, invoked }: Needs): Composer {
  let commands: readonly CommandView[] = [];
  let channelId = '';
  let draft: Draft | null = null;

  const listbox = createListbox('suggestions', () => draft?.input ?? plain.text);
  const now = { commands: () => commands, channelId: () => channelId };
  const plain = createPlainField({ ...now, listbox, connection, begin });
  const field = element('div', { class: 'field' }, plain.text);
  const send = drawSend(() => (draft ?? plain).enter());
  const line = element('div', { class: 'composer-line' }, field, send);
  host.replaceChildren(listbox.box, line, plain.notice);

  /** A message that was begun waits until the command is sent or given up. */
  function begin(command: CommandView, initial: ReadonlyMap<string, string>): void {
    if (plain.text.value.startsWith('/')) plain.clear();
    listbox.hide();
    draft = createDraft({
      command,
      initial,
      listbox,
      cancel: end,
      async complete(options, focused) {
        const asked = { channelId, command: command.name, options, focused };
        const answer = await connection.ask({ type: 'complete', ...asked });
        return answer.ok ? (answer.choices ?? []) : [];
      },
      submit(options) {
        const answer = connection.ask({ type: 'invoke', channelId, command: command.name, options });
        invoked(channelId, command.name, answer);
        end();
      },
    });
    field.replaceChildren(draft.box);
    draft.focus();
  }

  function end(): void {
    draft = null;
    field.replaceChildren(plain.text);
    plain.text.focus();
  }

  function setCommands(all: readonly CommandView[]): void {
    commands = all.map((command) => withTruths(command));
    if (document.activeElement === plain.text) plain.read();
  }

  function beginNamed(name: string, initial = new Map<string, string>()): void {
    const known = commands.find((command) => command.name === name);
    if (known !== undefined) begin(known, initial);
  }

  return {
    setCommands,
    setPlace(id, place, offered) {
      channelId = id;
      plain.text.placeholder = `Message ${place} or type /`;
      plain.text.ariaLabel = `Message ${place}`;
      setCommands(offered);
    },
    fill: ({ command, option, value }) =>
      beginNamed(command, new Map(option === null ? [] : [[option, value]])),
    open: (command) => beginNamed(command),
    focus: () => (draft ?? plain.text).focus(),
  };
}

function drawSend(onclick: () => void): HTMLElement {
  // Keeps the focus in the field, and with it a phone's keyboard.
  const onmousedown = (event: MouseEvent): void => event.preventDefault();
  return element(
    'button',
    { type: 'button', class: 'send', 'aria-label': 'Send', onmousedown, onclick },
    element('span', { 'aria-hidden': 'true' }, '➤'),
  );
}

/** A yes-or-no option is picked by the reader's words for it. */
function withTruths(command: CommandView): CommandView {
  const choices = [
    { name: 'True', value: true },
    { name: 'False', value: false },
  ];
  const options = command.options.map((option) =>
    option.kind === 'boolean' ? { ...option, choices } : option,
  );
  return { ...command, options };
}
