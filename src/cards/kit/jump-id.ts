/** The custom id of a page's number between *Previous* and *Next*, which asks for the page to show instead. */
import type { CustomId } from './custom-id.ts';

const ACTION = 'jump';

/** `of`: the action that shows a page, with the page that is shown now. */
export function jumpId({ command, action, number, subject }: CustomId, pages: number): CustomId {
  return { command, action: ACTION, number, subject: `${pages}:${action}:${subject}` };
}

export interface Jump {
  readonly command: string;
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  /** The id of the button that would show that page. */
  to(page: number): CustomId;
}

/** The highest page that an id can hold. */
const LAST = 9999;

/** Null for another id. */
export function readJumpId({ command, action, number: page, subject: inside }: CustomId): Jump | null {
  const {
    pages,
    show = '',
    subject = '',
  } = /^(?<pages>\d{1,4}):(?<show>[a-z]+):(?<subject>.*)$/su.exec(inside)?.groups ?? {};
  if (action !== ACTION || page === undefined || pages === undefined) return null;
  const to = (wanted: number): CustomId => ({
    ...{ command, action: show, subject },
    number: Math.max(0, Math.min(LAST, wanted)),
  });
  return { command, page, pages: Number(pages), to };
}
