import type { ChannelView } from '../protocol.ts';
import { byId, element, redraw } from './element.ts';
import { t } from './text.ts';

export function drawChannels(
  channels: readonly ChannelView[],
  shown: string,
  unread: ReadonlySet<string>,
  show: (channelId: string) => void,
): void {
  redraw(
    byId('channel-list'),
    ...channels.map((channel) => {
      if (channel.type === 'voice') return drawVoice(t('page.voice'), channel);
      const { id, name } = channel;
      return element(
        'li',
        {},
        element(
          'button',
          {
            type: 'button',
            id: `channel-${id}`,
            class: unread.has(id) ? 'channel unread' : 'channel',
            'aria-current': id === shown ? 'page' : null,
            onclick: () => show(id),
          },
          element('span', { class: 'hash', 'aria-hidden': 'true' }, '#'),
          name,
          unread.has(id) ? element('span', { class: 'unseen' }, ` ${t('page.unread')}`) : null,
        ),
      );
    }),
  );
}

/** Nobody can join it here; what it says can be read. */
function drawVoice(kind: string, { name, status }: Extract<ChannelView, { type: 'voice' }>): HTMLElement {
  return element(
    'li',
    { class: 'channel voice' },
    element('span', { class: 'hash', 'aria-hidden': 'true' }, '🔊'),
    element('span', { class: 'unseen' }, `${kind} `),
    name,
    status === null ? null : element('span', { class: 'voice-status', title: status }, status),
  );
}
