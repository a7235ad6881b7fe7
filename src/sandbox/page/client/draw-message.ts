import type { FileView, MessageView } from '../protocol.ts';
import { drawRows } from './draw-components.ts';
import { drawEmbed } from './draw-embed.ts';
import { drawMarks } from './draw-marks.ts';
import { drawSentAt } from './draw-time.ts';
import { avatar, type Child, element } from './element.ts';
import { unit } from './text.ts';

export interface Actions {
  press(messageId: string, customId: string, values?: readonly string[]): void;
  dismiss(messageId: string): void;
}

/** One message; `continued`: shortly after one by the same author. */
export function drawMessage(
  locale: string,
  message: MessageView,
  continued: boolean,
  failure: string | null,
  { press, dismiss }: Actions,
): HTMLElement {
  const { author, usedBy } = message;
  const made = element(
    'li',
    { class: 'message', 'data-id': message.id },
    usedBy === null ? null : drawUse(usedBy),
    continued ? null : avatar(author.id, author.name),
    continued ? null : drawHead(locale, message),
    element(
      'div',
      { class: 'body' },
      message.thinking ? drawThinking(author.name) : null,
      message.marks.length === 0
        ? null
        : element(
            'div',
            { class: 'content' },
            ...drawMarks(locale, message.marks),
            message.edited && message.embeds.length === 0
              ? element('span', { class: 'edited' }, ' (edited)')
              : null,
          ),
      // As in Discord, above the embeds.
      ...message.files.map((file) => drawFile(file)),
      ...message.embeds.map((embed) => drawEmbed(locale, embed)),
      ...drawRows(message.rows, failure, (customId, values) => press(message.id, customId, values)),
      message.private ? drawPrivacy(() => dismiss(message.id)) : null,
    ),
  );
  made.classList.toggle('continued', continued);
  made.classList.toggle('private', message.private);
  return made;
}

/** A sent command without a reply yet, or with none at all. */
export function drawPending(
  me: { readonly id: string; readonly name: string },
  command: string,
  failure: string | null,
  dismiss: () => void,
): HTMLElement {
  return element(
    'li',
    { class: failure === null ? 'message pending' : 'message pending failed' },
    drawUse({ ...me, command }),
    element('span', { class: 'avatar blank', 'aria-hidden': 'true' }, failure === null ? '…' : '!'),
    element(
      'div',
      { class: 'body' },
      failure === null
        ? element('p', { class: 'thinking' }, dots(), 'Sending command…')
        : element('p', { class: 'failure', role: 'alert' }, failure),
      failure === null ? null : drawPrivacy(dismiss),
    ),
  );
}

function drawFile({ name, url, bytes, image }: FileView): HTMLElement {
  const link = (...shown: Child[]) =>
    element('a', { href: url, target: '_blank', rel: 'noreferrer' }, ...shown);
  if (image === null) return element('p', { class: 'file' }, '📄 ', link(name), ` (${unit(bytes, 'byte')})`);
  // With its size, so that nothing moves when it arrives.
  const [width, height] = [String(image.width), String(image.height)];
  const picture = element('img', { src: url, alt: image.alt, width, height });
  return element('p', { class: 'file' }, link(picture));
}

function drawUse({ id, name, command }: NonNullable<MessageView['usedBy']>): HTMLElement {
  const person = element('span', { class: 'name' }, name);
  if (command === null)
    return element('div', { class: 'use' }, avatar(id, name), person, ' pressed a button');
  // Commands are lower case; an entry of a menu is not.
  const typed = command === command.toLowerCase() ? `/${command}` : command;
  return element(
    'div',
    { class: 'use' },
    avatar(id, name),
    person,
    ' used ',
    element('span', { class: 'mention' }, typed),
  );
}

function drawHead(locale: string, { author: { name, app }, at }: MessageView): HTMLElement {
  return element(
    'div',
    { class: 'head' },
    element('span', { class: 'name' }, name),
    app ? element('span', { class: 'app' }, 'APP') : null,
    drawSentAt(locale, at),
  );
}

function drawThinking(name: string): HTMLElement {
  return element('p', { class: 'thinking' }, dots(), `${name} is thinking…`);
}

function dots(): HTMLElement {
  return element('span', { class: 'dots', 'aria-hidden': 'true' }, element('i'), element('i'), element('i'));
}

function drawPrivacy(dismiss: () => void): HTMLElement {
  return element(
    'p',
    { class: 'privacy' },
    element('span', { 'aria-hidden': 'true' }, '👁 '),
    'Only you can see this · ',
    element('button', { type: 'button', class: 'text-button', onclick: dismiss }, 'Dismiss'),
  );
}
