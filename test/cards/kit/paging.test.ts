import { expect, test } from 'vitest';
import { buttonRow } from '../../../src/cards/kit/card.ts';
import { pageButtons, withPages } from '../../../src/cards/kit/paging.ts';
import { rowsOf } from '../../support/readable.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

/** The pages of the menu behind the number of a page. */
function pagesOffered(page: number, pages: number): readonly number[] {
  const of = { command: 'garage', action: 'page', subject: 'k3nny' };
  const row = buttonRow(...pageButtons({ rows: [], page, pages }, of, t));
  const [menu] = rowsOf({ components: withPages([row], t) }).flatMap(({ components }) => components);
  return (menu?.options ?? []).map(({ value }) => Number(value));
}

test.each([3, 24, 25])('all of %i pages are offered', (pages) => {
  expect(pagesOffered(1, pages)).toEqual([...Array(pages).keys()]);
});

test.each([26, 27, 40, 300, 9999])('of %i pages at most 25 are offered, with all that are near', (pages) => {
  for (const page of [0, 5, Math.floor(pages / 2), pages - 5, pages - 1]) {
    const offered = pagesOffered(page, pages);
    expect(offered.length).toBeLessThanOrEqual(25);
    const nearby = [page - 4, page, page + 4].filter((one) => one >= 0 && one < pages);
    expect(offered).toEqual(expect.arrayContaining([0, ...nearby, pages - 1]));
  }
});
