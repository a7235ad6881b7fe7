import type { MessageView } from '../protocol.ts';
import { type Pressing, showBusy } from './draw-components.ts';
import { type Actions, drawMessage } from './draw-message.ts';
import { findFocusedControl, focusAgain } from './focus.ts';

/** Messages by one author within this time (ms) form a group. */
const GROUP = 7 * 60_000;

interface MessageRows {
  /** The row of a message below another one: the same element as before where it looks the same. */
  draw(message: MessageView, above: MessageView | null, pressing: Pressing): HTMLElement;
  forget(messageId: string): void;
  /** Puts these rows into the list; scroll position, focus and selection survive. */
  show(rows: readonly HTMLElement[]): void;
}

export function createMessageRows(locale: string, list: HTMLElement, actions: Actions): MessageRows {
  const drawn = new Map<string, { readonly look: string; readonly row: HTMLElement }>();

  return {
    draw(message, above, pressing) {
      const continued = above !== null && continues(message, above);
      const look = JSON.stringify([message, continued, pressing.failure]);
      const known = drawn.get(message.id);
      const row =
        known?.look === look ? known.row : drawMessage(locale, message, continued, pressing.failure, actions);
      drawn.set(message.id, { look, row });
      showBusy(row, pressing.busy);
      return row;
    },
    forget: (messageId) => void drawn.delete(messageId),
    show(rows) {
      const focused = findFocusedControl();
      const wanted = new Set<Element>(rows);
      for (const old of [...list.children]) if (!wanted.has(old)) old.remove();
      rows.forEach((row, index) => {
        if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
      });
      if (focused !== null) focusAgain(focused);
    },
  };
}

function continues(message: MessageView, above: MessageView): boolean {
  return (
    above.author.id === message.author.id &&
    above.private === message.private &&
    message.usedBy === null &&
    message.at - above.at < GROUP
  );
}
