import type { EmbedView, Picture } from '../protocol.ts';
import { drawLink, drawMarks } from './draw-marks.ts';
import { drawSentAt } from './draw-time.ts';
import { element } from './element.ts';
import { t } from './text.ts';

export function drawEmbed(locale: string, embed: EmbedView): HTMLElement {
  const title = drawMarks(locale, embed.title);
  const made = element(
    'article',
    { class: embed.thumbnail === null ? 'embed' : 'embed with-thumbnail' },
    element(
      'div',
      { class: 'embed-text' },
      embed.author === null ? null : element('div', { class: 'embed-author' }, embed.author),
      title.length === 0
        ? null
        : element(
            'div',
            { class: 'embed-title', role: 'heading', 'aria-level': '2' },
            ...(embed.url !== null && /^https?:/.test(embed.url) ? [drawLink(embed.url, ...title)] : title),
          ),
      embed.description.length === 0
        ? null
        : element('div', { class: 'embed-description' }, ...drawMarks(locale, embed.description)),
    ),
    embed.thumbnail === null ? null : drawImage(embed.thumbnail, 'thumbnail'),
    embed.fields.length === 0 ? null : drawFields(locale, embed.fields),
    embed.image === null ? null : drawImage(embed.image, 'image'),
    drawFooter(locale, embed),
  );
  if (embed.colour !== null) made.style.setProperty('--bar', embed.colour);
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

/** Replaces an external image by text: the flag's emoji, or the image's host. */
function drawImage({ address, country }: Picture, kind: string): HTMLElement {
  const host = URL.parse(address)?.hostname ?? address;
  if (country === null)
    return element(
      'div',
      { class: `picture ${kind}`, role: 'img', 'aria-label': t('message.pictureFrom', { host }) },
      t('message.picture'),
    );
  const code = country.toUpperCase();
  const name = new Intl.DisplayNames('en-GB', { type: 'region' }).of(code) ?? code;
  const flag = [...country]
    .map((letter) => String.fromCodePoint(0x1f1e6 + letter.charCodeAt(0) - 'a'.charCodeAt(0)))
    .join('');
  return element(
    'div',
    { class: `picture ${kind} flag`, role: 'img', 'aria-label': t('message.flag', { country: name }) },
    flag,
  );
}

function drawFooter(locale: string, { footer, at }: EmbedView): HTMLElement | null {
  if (footer === null && at === null) return null;
  return element(
    'div',
    { class: 'embed-footer' },
    footer,
    footer !== null && at !== null ? ' • ' : null,
    at === null ? null : drawSentAt(locale, at),
  );
}
