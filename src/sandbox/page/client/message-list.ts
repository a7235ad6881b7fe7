import type { Answer, MessageView } from '../protocol.ts';
import type { Connection } from './connection.ts';
import type { Pressing } from './draw-components.ts';
import { drawMessage, drawPending } from './draw-message.ts';
import type { Reader } from './reader.ts';

const IDLE: Pressing = { busy: null, failure: null };
/** Messages by one author within this time (ms) form a group. */
const GROUP = 7 * 60_000;

interface Pending {
  /** How many messages precede it: it stays where it was sent. */
  readonly after: number;
  readonly channelId: string;
  readonly command: string;
  failure: string | null;
}

export interface MessageList {
  /** Replaces everything. */
  reset(messages: readonly MessageView[], me: { readonly id: string; readonly name: string }): void;
  put(message: MessageView): void;
  remove(messageId: string): void;
  show(channelId: string): void;
  /** Shows a command as sent until its reply or failure replaces it. */
  pending(channelId: string, command: string, answer: Promise<Answer>): void;
}

/** The element that scrolls, and the list in it. */
interface Places {
  readonly scroller: HTMLElement;
  readonly list: HTMLElement;
}

/** Dismissed messages stay hidden in this window, like private replies in Discord. */
const dismissed = new Set<string>(JSON.parse(sessionStorage.getItem('dismissed') ?? '[]'));

export function createMessageList(
  reader: Reader,
  { scroller, list }: Places,
  connection: Connection,
): MessageList {
  const messages = new Map<string, MessageView>();
  /** The position of each message in order of arrival. */
  const places = new Map<string, number>();
  const pressing = new Map<string, Pressing>();
  let pendings: readonly Pending[] = [];
  let me = { id: '', name: '' };
  let shown = '';

  async function press(messageId: string, customId: string, values?: readonly string[]): Promise<void> {
    pressing.set(messageId, { busy: customId, failure: null });
    draw();
    const answer = await connection.ask({
      type: 'press',
      messageId,
      customId,
      ...(values === undefined ? {} : { values: [...values] }),
    });
    pressing.set(messageId, { busy: null, failure: failureOf(reader, answer) });
    draw();
  }

  function dismiss(messageId: string): void {
    dismissed.add(messageId);
    sessionStorage.setItem('dismissed', JSON.stringify([...dismissed]));
    draw();
  }

  function draw(): void {
    const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
    const focused = focusOf(document.activeElement);
    const rows: HTMLElement[] = [];
    let above: MessageView | null = null;
    let waiting = pendings.filter(({ channelId }) => channelId === shown);
    for (const message of messages.values()) {
      if (message.channelId !== shown || dismissed.has(message.id)) continue;
      const place = places.get(message.id) ?? 0;
      const before = waiting.filter(({ after }) => after < place);
      if (before.length > 0) above = null;
      rows.push(...before.map(pendingRow), row(message, above));
      waiting = waiting.filter(({ after }) => after >= place);
      above = message;
    }
    rows.push(...waiting.map(pendingRow));
    reconcile(rows);
    focused?.();
    if (atEnd) scroller.scrollTop = scroller.scrollHeight;
  }

  function pendingRow(pending: Pending): HTMLElement {
    return drawPending(reader, me, pending.command, pending.failure, () => {
      pendings = pendings.filter((other) => other !== pending);
      draw();
    });
  }

  function keep(message: MessageView): void {
    messages.set(message.id, message);
    if (!places.has(message.id)) places.set(message.id, places.size + 1);
  }

  /** Unchanged rows remain the same elements, so that scroll position, focus and selection survive. */
  function reconcile(rows: readonly HTMLElement[]): void {
    const wanted = new Set<Element>(rows);
    for (const old of [...list.children]) if (!wanted.has(old)) old.remove();
    rows.forEach((made, index) => {
      if (list.children[index] !== made) list.insertBefore(made, list.children[index] ?? null);
    });
  }

  const drawn = new Map<string, { readonly look: string; readonly row: HTMLElement }>();
  function row(message: MessageView, above: MessageView | null): HTMLElement {
    const continued =
      above !== null &&
      above.author.id === message.author.id &&
      above.private === message.private &&
      message.usedBy === null &&
      message.at - above.at < GROUP;
    const state = pressing.get(message.id) ?? IDLE;
    const look = JSON.stringify([message, continued, state]);
    const known = drawn.get(message.id);
    if (known?.look === look) return known.row;
    const made = drawMessage(reader, message, continued, state, {
      press: (messageId, customId, values) => void press(messageId, customId, values),
      dismiss,
    });
    drawn.set(message.id, { look, row: made });
    return made;
  }

  return {
    reset(all, who) {
      me = who;
      messages.clear();
      for (const message of all) keep(message);
      draw();
    },
    put(message) {
      if (!messages.has(message.id) && message.usedBy?.id === me.id) {
        const answered = pendings.find(
          ({ command, failure }) =>
            failure === null && (message.usedBy?.command === null || command === message.usedBy?.command),
        );
        pendings = pendings.filter((pending) => pending !== answered);
      }
      keep(message);
      draw();
    },
    remove(messageId) {
      messages.delete(messageId);
      drawn.delete(messageId);
      draw();
    },
    show(channelId) {
      shown = channelId;
      draw();
      scroller.scrollTop = scroller.scrollHeight;
    },
    pending(channelId, command, answer) {
      const pending: Pending = { after: places.size, channelId, command, failure: null };
      pendings = [...pendings, pending];
      draw();
      scroller.scrollTop = scroller.scrollHeight;
      void answer.then((given) => {
        pending.failure = failureOf(reader, given);
        if (pending.failure === null) pendings = pendings.filter((other) => other !== pending);
        else if (!pendings.includes(pending)) pendings = [...pendings, pending];
        draw();
      });
    },
  };

  /** Restores the focus after its row was redrawn. */
  function focusOf(active: Element | null): (() => void) | null {
    const customId = active instanceof HTMLElement ? active.dataset['customId'] : undefined;
    const messageId = active?.closest<HTMLElement>('[data-id]')?.dataset['id'];
    if (customId === undefined || messageId === undefined) return null;
    return () => {
      const again = drawn.get(messageId)?.row.querySelectorAll<HTMLElement>('[data-custom-id]') ?? [];
      const same = [...again].find((element) => element.dataset['customId'] === customId) ?? again[0];
      if (same !== undefined && document.activeElement !== same) same.focus({ preventScroll: true });
    };
  }
}

function failureOf({ t }: Reader, answer: Answer): string | null {
  if (!answer.ok) return t(answer.reason === null ? 'message.lost' : 'message.refused');
  return answer.outcome?.acknowledged === 'failed' ? t('message.noResponse') : null;
}
