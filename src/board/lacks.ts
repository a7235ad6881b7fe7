import type { BoardRecord } from '../store/board-records.ts';
import type { BoardChat, Right } from './channel.ts';
import { hasRoomFor } from './headline.ts';

/** Why the headline does not stand where the options want it. */
export type Lack =
  | { readonly what: 'topic' | 'voice'; readonly rights: readonly Right[] }
  | { readonly what: 'topic-full' | 'voice-gone' };

/** As long as most headlines are. */
const USUAL_LINE = ' '.repeat(80);

export function lacksOf(
  { settings, state }: BoardRecord,
  chat: Pick<BoardChat, 'topic' | 'voice'>,
): readonly Lack[] {
  const { guildId, channelId, options } = settings;
  const lacks: Lack[] = [];
  if (options.topic === 'on') {
    const topic = chat.topic(guildId, channelId);
    if (topic.kind === 'missing') lacks.push({ what: 'topic', rights: topic.rights });
    const isFull = topic.kind === 'open' && !hasRoomFor(topic.topic, state.topic, USUAL_LINE);
    if (isFull) lacks.push({ what: 'topic-full' });
  }
  if (options.voice !== null) {
    const voice = chat.voice(guildId, options.voice);
    if (voice.kind === 'missing') lacks.push({ what: 'voice', rights: voice.rights });
    if (voice.kind === 'unknown-channel') lacks.push({ what: 'voice-gone' });
  }
  return lacks;
}
