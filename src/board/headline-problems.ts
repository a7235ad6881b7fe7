import type { HeadlineProblem } from '../service/models/board.ts';
import type { BoardRecord } from './board-records.ts';
import type { BoardChannels } from './channels.ts';
import { hasRoomFor } from './headline.ts';

/** As long as most headlines are. */
const USUAL_LINE = ' '.repeat(80);

export function headlineProblemsOf(
  { settings, state }: BoardRecord,
  channels: Pick<BoardChannels, 'topic' | 'voice'>,
): readonly HeadlineProblem[] {
  const { guildId, channelId, options } = settings;
  const problems: HeadlineProblem[] = [];
  if (options.topic === 'on') {
    const topic = channels.topic(guildId, channelId);
    if (topic.kind === 'missing') problems.push({ what: 'topic', rights: topic.rights });
    const isFull = topic.kind === 'open' && !hasRoomFor(topic.topic, state.topic, USUAL_LINE);
    if (isFull) problems.push({ what: 'topic-full' });
  }
  if (options.voice !== null) {
    const voice = channels.voice(guildId, options.voice);
    if (voice.kind === 'missing') problems.push({ what: 'voice', rights: voice.rights });
    if (voice.kind === 'unknown-channel') problems.push({ what: 'voice-gone' });
  }
  return problems;
}
