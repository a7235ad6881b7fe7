import type { CommandView } from '../protocol.ts';
import { readCommandText } from './command-text.ts';
import type { Connection } from './connection.ts';
import { element } from './element.ts';
import type { Listbox } from './listbox.ts';
import { LOST } from './text.ts';

const LOOK = {
  rows: '1',
  maxlength: '2000',
  autocomplete: 'off',
  'aria-autocomplete': 'list',
  'aria-haspopup': 'listbox',
  enterkeyhint: 'send',
};

interface Needs {
  readonly listbox: Listbox;
  readonly connection: Connection;
  commands(): readonly CommandView[];
  channelId(): string;
  begin(command: CommandView, options: ReadonlyMap<string, string>): void;
}

/** The field for plain text, which offers commands after a `/`. */
interface PlainField {
  readonly text: HTMLTextAreaElement;
  /** Why a message was not sent. */
  readonly notice: HTMLElement;
  /** As Enter does: takes the highlighted command, or else sends what is typed, if anything. */
  enter(): void;
  /** Reads the text again, since it or the commands have changed. */
  read(): void;
  clear(): void;
}

export function createPlainField(needs: Needs): PlainField {
  const { listbox, connection } = needs;
  let offered: readonly CommandView[] = [];
  const notice = element('p', { class: 'problem', role: 'alert', hidden: true });
  const text = element('textarea', {
    ...LOOK,
    oninput: read,
    onblur: () => listbox.hide(),
    onfocus: read,
    onkeydown: keyed,
  });

  function read(): void {
    notice.hidden = true;
    const typed = readCommandText(text.value, needs.commands());
    offered = typed.type === 'search' ? typed.offered : [];
    if (typed.type === 'message') listbox.hide();
    else if (typed.type === 'command') needs.begin(typed.command, typed.options);
    else listbox.show(titleOf(typed.search, offered.length), offered.map(itemOf), 0, take);
  }

  function take(index: number): void {
    const command = offered[index];
    if (command !== undefined) needs.begin(command, new Map());
  }

  function keyed(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const listed = lists();
    if (listed && (event.key === 'ArrowDown' || event.key === 'ArrowUp'))
      listbox.move(event.key === 'ArrowDown' ? 1 : -1);
    else if (listed && event.key === 'Tab' && !event.shiftKey) take(listbox.active);
    else if (listbox.open && event.key === 'Escape') listbox.hide();
    else if (event.key === 'Enter' && (listed || !event.shiftKey)) enter();
    else return;
    event.preventDefault();
  }

  const lists = (): boolean => listbox.open && offered.length > 0;

  function enter(): void {
    if (lists()) take(listbox.active);
    else say();
  }

  function say(): void {
    const content = text.value.trim();
    if (content === '') return;
    text.value = '';
    read();
    void connection.ask({ type: 'say', channelId: needs.channelId(), content }).then((answer) => {
      if (answer.ok) return;
      notice.textContent =
        answer.reason === null ? LOST : 'You do not have permission to send messages in this channel.';
      notice.hidden = false;
      if (text.value === '') text.value = content;
    });
  }

  function clear(): void {
    listbox.hide();
    text.value = '';
  }

  return { text, notice, enter, read, clear };
}

function titleOf(search: string, count: number): string {
  if (count === 0) return 'No command of that name';
  return search === '' ? 'Commands' : `Commands matching /${search}`;
}

function itemOf({ name, description, options }: CommandView) {
  const typed = options.map((option) => (option.required ? option.name : `${option.name}?`)).join(' ');
  return { label: `/${name}`, detail: [description, typed].filter((part) => part !== '').join(' · ') };
}
