import type { EmbedView } from '../protocol.ts';
import { drawMarks } from './draw-marks.ts';
import { element } from './element.ts';

export function drawEmbed(locale: string, { colour, title, description, fields }: EmbedView): HTMLElement {
  const made = element(
    'article',
    { class: 'embed' },
    title.length === 0
      ? null
      : element(
          'div',
          { class: 'embed-title', role: 'heading', 'aria-level': '2' },
          ...drawMarks(locale, title),
        ),
    description.length === 0
      ? null
      : element('div', { class: 'embed-description' }, ...drawMarks(locale, description)),
    fields.length === 0 ? null : drawFields(locale, fields),
  );
  if (colour !== null) made.style.setProperty('--bar', colour);
  return made;
}

/** Consecutive inline fields share a row, at most three; two fields take half each, as in Discord. */
function drawFields(locale: string, fields: EmbedView['fields']): HTMLElement {
  const rows: EmbedView['fields'][number][][] = [];
  for (const field of fields) {
    const row = rows.at(-1);
    const joins = field.inline && row !== undefined && row.length < 3 && row.every(({ inline }) => inline);
    if (joins) row.push(field);
    else rows.push([field]);
  }
  return element(
    'dl',
    { class: 'fields' },
    ...rows.flatMap((row) =>
      row.map(({ name, value }) =>
        element(
          'div',
          {
            class:
              row.length > 1 || row[0]?.inline === true ? `field of${Math.max(row.length, 1)}` : 'field of1',
          },
          element('dt', {}, ...drawMarks(locale, name)),
          element('dd', {}, ...drawMarks(locale, value)),
        ),
      ),
    ),
  );
}
