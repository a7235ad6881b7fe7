import { buttonRow, type Card, createCard } from '../../../src/cards/kit/card.ts';
import { asOf, oldData } from '../../../src/cards/kit/freshness.ts';
import { joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import { pageLabel, pageOf, turnsAndRefresh } from '../../../src/cards/kit/paging.ts';
import {
  channelLines,
  groupHeading,
  groupsOf,
  memberCount,
  memberName,
  noMembers,
} from '../../../src/cards/servers/member-list.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { ChatStatus } from '../../../src/service/models/chat-status.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import { chatName, plainChatName } from '../../../src/text/names.ts';

/** Number of members that fit on a phone's screen with the rest of the card. */
const PAGE_SIZE = 18;
const MAX_CHANNEL_LENGTH = 40;

/** The members of the Discord server, in pages, and its channels. */
export function membersCard(answer: Answer<ChatStatus>, requestedPage: number, t: Translator): Card {
  const { record } = answer;
  const all = record.members;
  const groups = groupsOf(all, t);
  const channelNames = new Map(record.channels.map(({ id, name }) => [id, name]));
  const rows = groups.flatMap(({ status, members }) => members.map((member) => ({ status, member })));
  const page = pageOf(rows, PAGE_SIZE, requestedPage);
  const list = page.rows.map(({ status, member }) => {
    const channel = channelNames.get(member.channel_id ?? '');
    return joinParts(
      `**${memberName(member)}**`,
      t(`members.status.${status}`),
      channel === undefined ? null : chatName(channel, MAX_CHANNEL_LENGTH),
    );
  });
  const channels = { name: t('board.channels'), lines: channelLines(record, t) };
  const content = {
    title: record.name === null ? t('board.members') : plainChatName(record.name),
    lead: [
      oldData(answer, t),
      labelledFact(t('board.members'), joinParts(memberCount(record, t), pageLabel(page, t)) || null),
      joinParts(...groups.map((group) => groupHeading(group, all, t))) || noMembers(record, t),
      labelledFact(t('members.invite'), record.invite),
    ],
    list,
    sections: record.channels.length === 0 ? [] : [channels],
    tail: asOf(answer, t),
    components: [buttonRow(...turnsAndRefresh(page, { command: 'members', subject: '' }, t))],
  };
  return createCard(content, t);
}
