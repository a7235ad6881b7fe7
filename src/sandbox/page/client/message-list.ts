import type { Answer, MessageView } from '../protocol.ts';
import type { Connection } from './connection.ts';
import type { Pressing } from './draw-components.ts';
import { drawPending } from './draw-message.ts';
import { createKeptMessages } from './kept-messages.ts';
import { createMessageRows } from './message-rows.ts';
import { createPendingCommands, type Pending } from './pending-commands.ts';
import { LOST, REFUSED } from './text.ts';

const IDLE: Pressing = { busy: null, failure: null };

interface MessageList {
  /** Whether the channel has any. */
  has(channelId: string): boolean;
  /** Replaces everything. */
  reset(messages: readonly MessageView[], me: { readonly id: string; readonly name: string }): void;
  /** Whether it was not there before. */
  put(message: MessageView): boolean;
  remove(messageId: string): void;
  show(channelId: string): void;
  /** Shows a command as sent until its reply or failure replaces it. */
  pending(channelId: string, command: string, answer: Promise<Answer>): void;
}

interface Needs {
  /** In which times are drawn (BCP 47). */
  readonly locale: string;
  readonly connection: Connection;
  /** The element that scrolls, and the list in it. */
  readonly scroller: HTMLElement;
  readonly list: HTMLElement;
  /** The end of the list, or the head of its last message, which may be taller than the scroller. */
  readonly follows: 'end' | 'head';
}

export function createMessageList({ locale, connection, scroller, list, follows }: Needs): MessageList {
  const messages = createKeptMessages();
  const presses = createPresses(connection, () => draw());
  const pendings = createPendingCommands();
  const rows = createMessageRows(locale, list, {
    press: (messageId, customId, values) => void presses.press(messageId, customId, values),
    dismiss(messageId) {
      messages.dismiss(messageId);
      draw();
    },
  });
  let me = { id: '', name: '' };
  let shown = '';
  let headId: string | undefined;

  function draw(end = isAtEnd(scroller)): void {
    rows.show(inOrder(messages.in(shown), pendings.in(shown)).map(drawEntry));
    if (follows === 'head') showNewHead();
    else if (end) scroller.scrollTop = scroller.scrollHeight;
  }

  // A relative time may take one more line.
  if (follows === 'end')
    new ResizeObserver(() => {
      if (isAtEnd(scroller)) scroller.scrollTop = scroller.scrollHeight;
    }).observe(list);

  /** Scrolls to the head of the last message once, so that its edits leave the reader's position alone. */
  function showNewHead(): void {
    const last = list.lastElementChild;
    if (!(last instanceof HTMLElement) || last.dataset['id'] === headId) return;
    headId = last.dataset['id'];
    last.scrollIntoView({ block: 'start' });
  }

  function drawEntry(entry: Entry): HTMLElement {
    if ('message' in entry) return rows.draw(entry.message, entry.above, presses.of(entry.message.id));
    const { pending } = entry;
    return drawPending(me, pending.command, pending.failure, () => {
      pendings.remove(pending);
      draw();
    });
  }

  return {
    has: (channelId) => messages.in(channelId).length > 0,
    reset(all, who) {
      me = who;
      messages.reset(all);
      draw();
    },
    put(message) {
      const isNew = !messages.has(message.id);
      if (isNew && message.usedBy?.id === me.id) pendings.answered(message);
      messages.keep(message);
      draw();
      return isNew;
    },
    remove(messageId) {
      messages.remove(messageId);
      rows.forget(messageId);
      draw();
    },
    show(channelId) {
      shown = channelId;
      draw(true);
    },
    pending(channelId, command, answer) {
      const pending = pendings.add({ after: messages.count, channelId, command });
      draw(true);
      void answer.then((given) => {
        pendings.settle(pending, failureOf(given));
        draw();
      });
    },
  };
}

/** Or so near that new messages are followed. */
function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < 80;
}

type Entry =
  | { readonly pending: Pending }
  /** `above`: the message right above it. */
  | { readonly message: MessageView; readonly above: MessageView | null };

/** Each pending command stands below the messages that were there when it was sent. */
function inOrder(
  messages: readonly { readonly message: MessageView; readonly place: number }[],
  pendings: readonly Pending[],
): readonly Entry[] {
  const entries: Entry[] = [];
  let waiting = pendings;
  for (const { message, place } of messages) {
    entries.push(...waiting.filter(({ after }) => after < place).map((pending) => ({ pending })));
    waiting = waiting.filter(({ after }) => after >= place);
    const last = entries.at(-1);
    entries.push({ message, above: last !== undefined && 'message' in last ? last.message : null });
  }
  return [...entries, ...waiting.map((pending) => ({ pending }))];
}

/** Pressed components of messages, and presses that have failed. */
function createPresses(connection: Connection, changed: () => void) {
  const states = new Map<string, Pressing>();
  return {
    of: (messageId: string): Pressing => states.get(messageId) ?? IDLE,
    async press(messageId: string, customId: string, values?: readonly string[]): Promise<void> {
      if (states.get(messageId)?.busy) return;
      states.set(messageId, { busy: customId, failure: null });
      changed();
      const picked = values === undefined ? {} : { values: [...values] };
      const answer = await connection.ask({ type: 'press', messageId, customId, ...picked });
      states.set(messageId, { busy: null, failure: failureOf(answer) });
      changed();
    },
  };
}

function failureOf(answer: Answer): string | null {
  if (!answer.ok) return answer.reason === null ? LOST : REFUSED;
  return answer.outcome?.acknowledged === 'failed' ? 'The application did not respond' : null;
}
