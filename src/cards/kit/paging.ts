import type { Translator } from '../../i18n/translator.ts';
import type { Button } from './card.ts';

/** A part of a long list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** From 0. */
  readonly page: number;
  readonly pages: number;
}

/** The page that was wanted, or the last one there is: a button may be older than half of the list. */
export function pageOf<Row>(rows: readonly Row[], size: number, wanted: number): Page<Row> {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.min(wanted, pages - 1);
  return { rows: rows.slice(page * size, (page + 1) * size), page, pages };
}

/** "Page 2 of 4"; null where there is only one. */
export function pageLabel({ page, pages }: Page<unknown>, t: Translator): string | null {
  return pages === 1 ? null : t('card.page', { page: page + 1, pages });
}

/** The action of a custom id that leads to a page: given null where there is no page, which nobody can press. */
type ToPage = (page: number | null) => string;

/** The buttons to the pages on both sides; none where there is only one page. */
export function turns(
  { page, pages }: Page<unknown>,
  { action, ...of }: { readonly command: string; readonly subject: string; readonly action: ToPage },
  t: Translator,
): readonly Button[] {
  if (pages === 1) return [];
  const previous = page === 0 ? null : page - 1;
  return [
    {
      ...of,
      action: action(previous),
      label: t('card.previous'),
      disabled: previous === null,
    },
    { ...of, action: action(page + 1), label: t('card.next'), disabled: page + 1 >= pages },
  ];
}

/** The buttons below a list that is paged and can be asked for anew: to the pages on both sides, and refresh. */
export function turnsAndRefresh(
  page: Page<unknown>,
  of: { readonly command: string; readonly subject: string },
  t: Translator,
): readonly Button[] {
  const action = writeTurn({ page: page.page, refresh: true });
  return [
    ...turns(page, { ...of, action: toPage }, t),
    { ...of, action, label: t('card.refresh'), emoji: '🔄' },
  ];
}

/** Where a button of a paged list leads to, and whether it wants the newest data. */
export interface Turn {
  /** From 0. */
  readonly page: number;
  readonly refresh: boolean;
}

/** The action of a custom id: `page-2`, `refresh-2`. */
export function writeTurn({ page, refresh }: Turn): string {
  return `${refresh ? 'refresh' : 'page'}-${page}`;
}

/** Null for what no card wrote. */
export function readTurn(action: string): Turn | null {
  const match = /^(page|refresh)-(\d{1,4})$/.exec(action);
  return match === null ? null : { page: Number(match[2]), refresh: match[1] === 'refresh' };
}

/** A paged list's way to its pages. */
export const toPage: ToPage = (page) => (page === null ? 'page-none' : writeTurn({ page, refresh: false }));
