import type { AnsiRun, Mark } from '../protocol.ts';
import { drawTime } from './draw-time.ts';
import { element } from './element.ts';

const tags = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const;

/** Draws parsed markdown. Untrusted text only becomes text nodes. */
export function drawMarks(locale: string, marks: readonly Mark[]): readonly Node[] {
  return marks.map((mark) => drawMark(locale, mark));
}

function drawMark(locale: string, mark: Mark): Node {
  switch (mark.type) {
    case 'text':
      return document.createTextNode(mark.text);
    case 'bold':
    case 'italic':
    case 'underline':
    case 'strike':
      return element(tags[mark.type], {}, ...drawMarks(locale, mark.marks));
    case 'code':
      return element('code', {}, mark.text);
    case 'code-block':
      return element('pre', { tabindex: '0' }, element('code', {}, ...mark.runs.map(drawRun)));
    case 'mention':
      return element('span', { class: 'mention' }, mark.text);
    case 'emoji':
      return element('span', { class: 'emoji' }, mark.text);
    case 'unnamed':
      return element('span', { class: 'mention' }, unnamed[mark.kind]);
    case 'command':
      return mark.command === null
        ? element('span', { class: 'mention' }, mark.text)
        : element('button', { type: 'button', class: 'mention', 'data-command': mark.command }, mark.text);
    case 'quote':
      return element('blockquote', {}, ...drawMarks(locale, mark.marks));
    case 'subtext':
      return element('small', { class: 'subtext' }, ...drawMarks(locale, mark.marks));
    case 'heading':
      return element(
        'div',
        // One level for all: a message that begins with a small heading leaves no gap below the channel's name.
        { class: `heading h${mark.level}`, role: 'heading', 'aria-level': '2' },
        ...drawMarks(locale, mark.marks),
      );
    case 'list':
      return element(
        mark.start === null ? 'ul' : 'ol',
        mark.start === null ? {} : { start: String(mark.start) },
        ...mark.items.map((item) => element('li', {}, ...drawMarks(locale, item))),
      );
    case 'timestamp':
      return drawTime(locale, mark.seconds, mark.style);
    case 'link':
      return element(
        'a',
        { href: mark.url, target: '_blank', rel: 'noopener noreferrer' },
        ...drawMarks(locale, mark.marks),
      );
    case 'spoiler':
      return drawSpoiler(locale, mark.marks);
    case 'break':
      return element('br');
  }
}

const unnamed = {
  user: '@unknown-user',
  role: '@unknown-role',
  channel: '#unknown',
  guide: 'Server Guide',
} as const;

function drawSpoiler(locale: string, marks: readonly Mark[]): HTMLElement {
  const inside = element('span', { 'aria-hidden': 'true' }, ...drawMarks(locale, marks));
  const reveal = (): void => {
    made.classList.add('revealed');
    made.removeAttribute('aria-label');
    inside.removeAttribute('aria-hidden');
  };
  const made = element(
    'span',
    {
      class: 'spoiler',
      role: 'button',
      tabindex: '0',
      'aria-label': 'Spoiler',
      onclick: reveal,
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        reveal();
      },
    },
    inside,
  );
  return made;
}

function drawRun({ text, colour }: AnsiRun): Node {
  return colour === null ? document.createTextNode(text) : element('span', { class: `fg${colour}` }, text);
}
