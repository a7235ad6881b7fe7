import type { ChannelView } from '../protocol.ts';
import { byId, element, redraw } from './element.ts';

export function drawChannels(
  channels: readonly ChannelView[],
  shown: string,
  unread: ReadonlySet<string>,
  show: (channelId: string) => void,
): void {
  const direct = channels.filter(({ type }) => type === 'direct');
  const guild = channels.filter(({ type }) => type !== 'direct');
  const draw = (channel: ChannelView): HTMLElement =>
    channel.type === 'voice' ? drawVoice(channel) : drawPlace(channel, shown, unread.has(channel.id), show);
  redraw(
    byId('channel-list'),
    drawGroup('direct', 'Direct messages', direct.map(draw)),
    drawGroup('guild', 'Channels of the server', guild.map(draw)),
  );
}

function drawGroup(id: string, title: string, drawn: readonly HTMLElement[]): HTMLElement {
  const heading = element('h2', { id: `places-${id}` }, title);
  return element('div', {}, heading, element('ul', { 'aria-labelledby': heading.id }, ...drawn));
}

function drawPlace(
  { type, id, name }: Exclude<ChannelView, { type: 'voice' }>,
  shown: string,
  isNew: boolean,
  show: (channelId: string) => void,
): HTMLElement {
  return element(
    'li',
    {},
    element(
      'button',
      {
        type: 'button',
        id: `channel-${id}`,
        class: isNew ? 'channel unread' : 'channel',
        'aria-current': id === shown ? 'page' : null,
        onclick: () => show(id),
      },
      element('span', { class: 'hash', 'aria-hidden': 'true' }, type === 'direct' ? '@' : '#'),
      name,
      isNew ? element('span', { class: 'unseen' }, ' (new messages)') : null,
    ),
  );
}

/** Nobody can join it here. */
function drawVoice({ name }: Extract<ChannelView, { type: 'voice' }>): HTMLElement {
  return element(
    'li',
    { class: 'channel voice' },
    element('span', { class: 'hash', 'aria-hidden': 'true' }, '🔊'),
    element('span', { class: 'unseen' }, 'Voice channel '),
    name,
  );
}
