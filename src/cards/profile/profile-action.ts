/** The views of a driver, in the order of their buttons. */
export const views = ['overview', 'record', 'licences', 'garage', 'properties'] as const;
export type View = (typeof views)[number];

/** Where in a profile somebody is, or wants to go. */
export interface Place {
  readonly view: View;
  /** Of the garage, from 0; null for its beginning and for the other views. */
  readonly page: number | null;
}

function isView(word: string | undefined): word is View {
  return views.some((view) => view === word);
}

/** The action of a custom id: `garage`, `garage-2`, `refresh-garage-2`. */
export function writeAction({ view, page }: Place, refresh = false): string {
  return `${refresh ? 'refresh-' : ''}${view}${page === null ? '' : `-${page}`}`;
}

/** Null for what no card wrote. */
export function readAction(action: string): (Place & { readonly refresh: boolean }) | null {
  const match = /^(?<refresh>refresh-)?(?<view>[a-z]+)(?:-(?<page>\d{1,4}))?$/.exec(action)?.groups;
  const view = match?.['view'];
  if (!isView(view)) return null;
  const page = match?.['page'];
  return {
    view,
    page: page === undefined ? null : Number(page),
    refresh: match?.['refresh'] !== undefined,
  };
}
