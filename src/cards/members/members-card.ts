import type { Answer } from '../../service/client.ts';
import type { ChatStatus } from '../../service/models/models.ts';
import type { Words } from '../../i18n/translator.ts';
import { buttons, type Card } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { chatName, fact, joined, plainChatName } from '../kit/lines.ts';
import { channelLines, groupHeading, groupsOf, memberCount, memberName } from './member-list.ts';
import { pageOf, pageWords, turnsAndRefresh } from '../kit/paging.ts';

const PAGE = 25;
const CHANNEL = 40;

/** Who is on the chat server, in pages, and its channels. */
export function membersCard(answer: Answer<ChatStatus>, wanted: number, words: Words): Card {
  const { record } = answer;
  const all = record.members;
  const groups = groupsOf(all, words);
  const channelNames = new Map(record.channels.map(({ id, name }) => [id, name]));
  const rows = groups.flatMap(({ status, members }) => members.map((member) => ({ status, member })));
  const page = pageOf(rows, PAGE, wanted);
  const list = page.rows.map(({ status, member }) => {
    const channel = channelNames.get(member.channel_id ?? '');
    return joined(
      `**${memberName(member)}**`,
      words.text(`members.status.${status}`),
      channel === undefined ? null : chatName(channel, CHANNEL),
    );
  });
  const count = memberCount(record, words);
  const channels = { name: words.text('board.channels'), lines: channelLines(record, words) };
  const body = {
    title: record.name === null ? words.text('board.members') : plainChatName(record.name),
    lead: [
      ...oldData(answer, words),
      ...fact(words.text('board.members'), joined(count, pageWords(page, words))),
      joined(...groups.map((group) => groupHeading(group, all, words))) || words.text('members.none'),
    ],
    ...(list.length === 0 ? {} : { list }),
    sections: [...(record.channels.length === 0 ? [] : [channels]), asOf(answer, words)],
  };
  return {
    embeds: [embed(body, words)],
    components: [buttons(...turnsAndRefresh(page, { command: 'members', subject: '' }, words))],
  };
}
