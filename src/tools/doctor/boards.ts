import type { DiscordProbe, GuildAccess } from '../../discord/publish/probe.ts';
import {
  type Access,
  type BoardSettings,
  RIGHTS,
  STATUS_RIGHTS,
  TOPIC_RIGHTS,
} from '../../service/models/board.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Three requests to Discord for each server with a board, one after another: the bot may be sending its own. */
export async function boardFindings(
  discord: Pick<DiscordProbe, 'access'>,
  botId: string,
  boards: readonly BoardSettings[],
): Promise<readonly Finding[]> {
  const kept = boards.filter(({ removed }) => !removed);
  if (kept.length === 0) return [ok('boards', 'there are none')];
  const troubled: Finding[] = [];
  for (const [guildId, inGuild] of Map.groupBy(kept, (board) => board.guildId)) {
    const access = await discord.access(guildId, botId);
    troubled.push(...inGuild.flatMap((board) => findingsOf(board, access)));
  }
  if (troubled.length > 0) return troubled;
  return [
    ok(
      'boards',
      kept.length === 1
        ? 'the one board has all its permissions'
        : `all ${kept.length} boards have all their permissions`,
    ),
  ];
}

/** What a board's options add is asked where the board itself is found. */
function findingsOf({ guildId, channelId, options }: BoardSettings, access: GuildAccess): readonly Finding[] {
  const where = (id: string): string => `channel ${id} of server ${guildId}`;
  const own = access(channelId, RIGHTS);
  const findings = [boardFinding(where(channelId), own)];
  if (own.kind === 'open' || own.kind === 'missing') {
    const { topic, voice } = options;
    if (topic === 'on') findings.push(topicFinding(where(channelId), access(channelId, TOPIC_RIGHTS)));
    if (voice !== null) findings.push(statusFinding(where(voice), access(voice, STATUS_RIGHTS)));
  }
  return findings.filter((finding) => finding !== null);
}

/** Null where all is well. */
function boardFinding(where: string, access: Access): Finding | null {
  switch (access.kind) {
    case 'open':
      return null;
    case 'missing':
      return failed(
        'boards',
        `${where}: missing ${listed(access.rights)}`,
        'Grant it in the permissions of that channel.',
      );
    case 'unknown-channel':
      return failed(
        'boards',
        `${where}: I cannot find it`,
        'Remove the board with /board remove, or invite the bot again.',
      );
    case 'unavailable':
      return warning('boards', `${where}: Discord did not say what I may do there`, 'Run the doctor again.');
  }
}

/** A warning, here and for a status: the board itself does without. */
function topicFinding(where: string, access: Access): Finding | null {
  if (access.kind !== 'missing') return null;
  return warning(
    'boards',
    `${where}: missing for its topic: ${listed(access.rights)}`,
    'Grant it in the permissions of that channel, or leave the topic alone with /board edit topic:off.',
  );
}

function statusFinding(where: string, access: Access): Finding | null {
  if (access.kind === 'missing')
    return warning(
      'boards',
      `${where}: missing for its voice channel status: ${listed(access.rights)}`,
      'Grant it in the permissions of that channel, or leave the status alone with /board edit voice-status:off.',
    );
  if (access.kind !== 'unknown-channel') return null;
  return warning(
    'boards',
    `${where}: I cannot find it, and a board shows its headline as that channel's status`,
    'Choose another voice channel with /board edit.',
  );
}

/** As Discord shows the names: `SendMessages` → `Send Messages`. */
function listed(rights: readonly string[]): string {
  return rights.map((right) => right.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')).join(', ');
}
