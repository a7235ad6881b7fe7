import type { Translator } from '../../i18n/translator.ts';
import { type ActionRow, type Button, menuRow, refreshButton } from './card.ts';
import { type CustomId, readCustomId } from './custom-id.ts';

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** From 0. */
  readonly page: number;
  readonly pages: number;
}

/** The requested page, or the last one: the list may have become shorter since the button was made. */
export function pageOf<Row>(rows: readonly Row[], size: number, requestedPage: number): Page<Row> {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.min(requestedPage, pages - 1);
  return { rows: rows.slice(page * size, (page + 1) * size), page, pages };
}

/** "Page 2 of 4"; null where there is only one. */
export function pageLabel({ page, pages }: Page<unknown>, t: Translator): string | null {
  return pages === 1 ? null : t('card.page', { page: page + 1, pages });
}

/**
 * Buttons for the previous and next page, and between them the page's number, which opens a menu of pages where there
 * are more than those. None if there is only one page. `of`: the action that shows a page.
 */
export function pageButtons({ page, pages }: Page<unknown>, of: CustomId, t: Translator): readonly Button[] {
  if (pages === 1) return [];
  const previous =
    page === 0
      ? // Disabled; its id only has to differ from the others.
        { ...of, action: 'none', disabled: true }
      : { ...of, number: page - 1 };
  return [
    { ...previous, label: t('card.previous') },
    ...(pages > 2
      ? [{ ...jumpId({ ...of, number: page }, pages), label: `${t.number(page + 1)} / ${t.number(pages)}` }]
      : []),
    { ...of, number: page + 1, label: t('card.next'), disabled: page + 1 >= pages },
  ];
}

/** The action of a page's number between *Previous* and *Next*, and of the menu of pages behind it. */
const ACTION = 'jump';

/** `of`: the action that shows a page, with the page that is shown now. */
function jumpId({ command, action, number, subject }: CustomId, pages: number): CustomId {
  return { command, action: ACTION, number, subject: `${pages}:${action}:${subject}` };
}

/** The page that such an id holds, from 0, their number, and the action that shows one. Null for another id. */
export function readJumpId({
  action,
  number: page,
  subject: inside,
}: Pick<CustomId, 'action' | 'number' | 'subject'>) {
  const {
    pages,
    show = '',
    subject = '',
  } = /^(?<pages>\d{1,4}):(?<show>[a-z]+):(?<subject>.*)$/su.exec(inside)?.groups ?? {};
  if (action !== ACTION || page === undefined || pages === undefined) return null;
  return { page, pages: Number(pages), show: { action: show, subject } };
}

/** Buttons for the previous and next page, and *Refresh*. */
export function turnsAndRefresh(
  page: Page<unknown>,
  of: Pick<CustomId, 'command' | 'subject'>,
  t: Translator,
): readonly Button[] {
  return [
    ...pageButtons(page, { ...of, action: 'page' }, t),
    refreshButton({ ...of, action: '', number: page.page }, t),
  ];
}

/** The rows with a menu of pages in place of the one that holds a page's number. */
export function withPages(rows: readonly ActionRow[], t: Translator): readonly ActionRow[] {
  return rows.map((row) => {
    const ids = row.components.map((each) => ('custom_id' in each ? readCustomId(each.custom_id) : null));
    const id = ids.find((each) => each !== null && readJumpId(each) !== null);
    const jump = id ? readJumpId(id) : null;
    if (!id || jump === null) return row;
    const label = (page: number) => t('card.page', { page: page + 1, pages: jump.pages });
    const choices = offeredPages(jump).map((page) => ({ label: label(page), value: String(page) }));
    return menuRow(id, label(jump.page), choices);
  });
}

/** Discord's limit for the choices of a menu. */
const MAX_CHOICES = 25;
/** Pages on either side of the current one that are offered where not all can be. */
const NEARBY_PAGES = 4;

/** All pages; of too many those around the current one, the last, and others evenly over the list. */
function offeredPages({ page: current, pages }: { readonly page: number; readonly pages: number }) {
  const all = [...Array(pages).keys()];
  const step = pages > MAX_CHOICES ? Math.ceil(pages / (MAX_CHOICES - 2 * NEARBY_PAGES - 2)) : 1;
  return all.filter(
    (page) => page % step === 0 || page === pages - 1 || Math.abs(page - current) <= NEARBY_PAGES,
  );
}
