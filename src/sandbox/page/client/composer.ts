import type { Answer, CommandView, HintView } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { createDraft, type Draft } from './draft.ts';
import { element } from './element.ts';
import { createListbox } from './listbox.ts';
import type { Reader } from './reader.ts';

export interface Composer {
  setCommands(commands: readonly CommandView[]): void;
  setChannel(id: string, name: string): void;
  /** Fills a command in, ready to be sent. */
  fill(hint: HintView): void;
  /** Starts that command, as if picked from the list. */
  open(command: string): void;
  focus(): void;
}

interface Needs {
  readonly reader: Reader;
  readonly host: HTMLElement;
  readonly connection: Connection;
  /** A command was sent. */
  invoked(channelId: string, command: string, answer: Promise<Answer>): void;
}

/** The input field: plain text, or after a `/` a command with its options. */
export function createComposer({ reader, host, connection, invoked }: Needs): Composer {
  const { t } = reader;
  let commands: readonly CommandView[] = [];
  let channelId = '';
  let draft: Draft | null = null;
  let offered: readonly CommandView[] = [];

  const text = element('textarea', {
    rows: '1',
    maxlength: '2000',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    enterkeyhint: 'send',
    oninput: typed,
    onblur: () => listbox.hide(),
    onfocus: typed,
    onkeydown: keydown,
  });
  const listbox = createListbox('suggestions', () => draft?.input ?? text);
  const field = element('div', { class: 'field' }, text);
  const notice = element('p', { class: 'problem', role: 'alert', hidden: true });
  const send = element(
    'button',
    {
      type: 'button',
      class: 'send',
      'aria-label': t('composer.send'),
      // Keeps the focus in the field, and with it a phone's keyboard.
      onmousedown: (event: MouseEvent) => event.preventDefault(),
      onclick: () => (draft === null ? say() : draft.submit()),
    },
    element('span', { 'aria-hidden': 'true' }, '➤'),
  );
  host.replaceChildren(listbox.box, element('div', { class: 'composer-line' }, field, send), notice);

  function typed(): void {
    notice.hidden = true;
    text.style.setProperty('height', 'auto');
    text.style.setProperty('height', `${Math.min(text.scrollHeight, 160)}px`);
    if (!text.value.startsWith('/') || text.value.includes('\n')) {
      listbox.hide();
      return;
    }
    const rest = text.value.slice(1);
    const named = commands
      .filter(({ name }) => rest.startsWith(`${name} `))
      .toSorted((a, b) => b.name.length - a.name.length)[0];
    if (named !== undefined) {
      begin(named, readOptions(named, rest.slice(named.name.length + 1)));
      return;
    }
    const search = rest.trim().toLowerCase();
    offered = [
      ...commands.filter(({ name }) => name.startsWith(search)),
      ...commands.filter(({ name }) => !name.startsWith(search) && name.includes(search)),
    ];
    const title =
      offered.length === 0
        ? t('composer.none')
        : search === ''
          ? t('composer.commands')
          : t('composer.matching', { search });
    listbox.show(
      title,
      offered.map(({ name, description, options }) => ({
        label: `/${name}`,
        detail: [
          description,
          options.map((option) => (option.required ? option.name : `${option.name}?`)).join(' '),
        ]
          .filter((part) => part !== '')
          .join(' · '),
      })),
      0,
      take,
    );
  }

  function take(index: number): void {
    const command = offered[index];
    if (command !== undefined) begin(command, new Map());
  }

  function keydown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const listed = listbox.open && offered.length > 0;
    if (listed && (event.key === 'ArrowDown' || event.key === 'ArrowUp'))
      listbox.move(event.key === 'ArrowDown' ? 1 : -1);
    else if (listed && (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)))
      take(listbox.active);
    else if (listbox.open && event.key === 'Escape') listbox.hide();
    else if (event.key === 'Enter' && !event.shiftKey) say();
    else return;
    event.preventDefault();
  }

  function say(): void {
    const content = text.value.trim();
    if (content === '') return;
    text.value = '';
    typed();
    void connection.ask({ type: 'say', channelId, content }).then((answer) => {
      if (answer.ok) return;
      notice.textContent = t(answer.reason === null ? 'message.lost' : 'composer.readOnly');
      notice.hidden = false;
      if (text.value === '') text.value = content;
    });
  }

  function begin(command: CommandView, initial: ReadonlyMap<string, string>): void {
    listbox.hide();
    draft = createDraft({
      reader,
      command,
      initial,
      listbox,
      async complete(options, focused) {
        const answer = await connection.ask({
          type: 'complete',
          channelId,
          command: command.name,
          options,
          focused,
        });
        return answer.ok ? (answer.choices ?? []) : [];
      },
      submit(options) {
        const answer = connection.ask({ type: 'invoke', channelId, command: command.name, options });
        invoked(channelId, command.name, answer);
        end();
      },
      cancel: end,
    });
    field.replaceChildren(draft.box);
    draft.focus();
  }

  function end(): void {
    listbox.hide();
    draft = null;
    text.value = '';
    field.replaceChildren(text);
    text.focus();
  }

  return {
    setCommands(all) {
      commands = all.map((command) => withTruths(command, t('composer.yes'), t('composer.no')));
      if (document.activeElement === text) typed();
    },
    setChannel(id, name) {
      channelId = id;
      text.placeholder = t('composer.place', { channel: name });
      text.setAttribute('aria-label', t('composer.label', { channel: name }));
    },
    fill({ command, option, value }) {
      const known = commands.find(({ name }) => name === command);
      if (known !== undefined) begin(known, new Map([[option, value]]));
    },
    open(command) {
      const known = commands.find(({ name }) => name === command);
      if (known !== undefined) begin(known, new Map());
    },
    focus: () => (draft === null ? text.focus() : draft.focus()),
  };
}

/** A yes-or-no option is picked by the reader's words for it. */
function withTruths(command: CommandView, yes: string, no: string): CommandView {
  const choices = [
    { name: yes, value: true },
    { name: no, value: false },
  ];
  const options = command.options.map((option) =>
    option.kind === 'boolean' ? { ...option, choices } : option,
  );
  return { ...command, options };
}

/**
 * Parses pasted options such as `player:Some Name vin:AB12C`; text without an option name is the first option's
 * value.
 */
function readOptions({ options }: CommandView, typed: string): ReadonlyMap<string, string> {
  const names = options.map(({ name }) => name);
  const values = new Map<string, string>();
  let name = names[0];
  for (const word of typed.split(' ')) {
    const colon = word.indexOf(':');
    const prefix = word.slice(0, Math.max(colon, 0));
    const named = names.includes(prefix);
    if (named) name = prefix;
    const part = named ? word.slice(colon + 1) : word;
    if (name !== undefined) values.set(name, `${values.get(name) ?? ''} ${part}`.trim());
  }
  return values;
}
