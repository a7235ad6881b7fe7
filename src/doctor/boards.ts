import type { Access } from '../board/channel.ts';
import type { DiscordProbe } from '../discord/probe.ts';
import type { BoardSettings } from '../store/board-records.ts';
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
    const channels = inGuild.map(({ channelId }) => channelId);
    for (const [channelId, access] of await discord.access(guildId, botId, channels)) {
      const finding = boardFinding(`channel ${channelId} of server ${guildId}`, access);
      if (finding !== null) troubled.push(finding);
    }
  }
  if (troubled.length > 0) return troubled;
  return [
    ok(
      'boards',
      kept.length === 1 ? 'the one board may do all it needs' : `all ${kept.length} may do all they need`,
    ),
  ];
}

/** Null where all is well. */
function boardFinding(where: string, access: Access): Finding | null {
  switch (access.kind) {
    case 'open':
      return null;
    case 'missing':
      return failed(
        'boards',
        `${where}: I lack ${access.rights.map(spaced).join(', ')}`,
        'Allow it in the permissions of that channel.',
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

/** As Discord shows the name: `SendMessages` → `Send Messages`. */
function spaced(right: string): string {
  return right.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
}
