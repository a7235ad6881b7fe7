import type { MessageView } from '../protocol.ts';
import type { Pressing } from './draw-components.ts';
import { type Actions, drawMessage } from './draw-message.ts';

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

  return {
    draw(message, above, pressing) {
      const continued = above !== null && continues(message, above);
      const look = JSON.stringify([message, continued, pressing]);
      const known = drawn.get(message.id);
      if (known?.look === look) return known.row;
      const row = drawMessage(locale, message, continued, pressing, actions);
      drawn.set(message.id, { look, row });
      return row;
    },
    forget: (messageId) => void drawn.delete(messageId),
    show(rows) {
      const refocus = focusOf(document.activeElement);
      const wanted = new Set<Element>(rows);
      for (const old of [...list.children]) if (!wanted.has(old)) old.remove();
      rows.forEach((row, index) => {
        if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
      });
      refocus?.();
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
