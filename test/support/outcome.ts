/** What a visitor sees after a command, a press or a window. */
import { startingValues } from '../../src/sandbox/chat/visitor/submitted-form.ts';
import type { Outcome } from '../../src/sandbox/chat/visitor/visitor.ts';
import { readable } from './readable.ts';

/** Returns what the window holds, by field. */
export function fieldValues({ form }: Outcome): Readonly<Record<string, string>> {
  const fields = form?.components.map(({ component }) => [
    component.custom_id,
    startingValues(component).join(' '),
  ]);
  return Object.fromEntries(fields ?? []);
}

/** Returns the text of the reply; empty without one. */
export function replyText({ message }: Outcome): string {
  return message === null ? '' : readable(message);
}
