import { aboutPlayer, answerUnseen } from '../../src/command-kit/about-player.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import { readerZone } from '../../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { currentFiles, unseenServers } from '../../src/command-kit/current-data.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { sameSpelling } from '../../src/service/models/identifiers.ts';
import { LiveServer } from '../../src/service/models/live-status.ts';
import { seenCard } from './cards/seen-card.ts';

const MAX_SESSIONS = 10;

export default defineCommand({
  description: 'seen.description',
  topic: 'drivers',
  example: ['player'],
  visibility: 'choice',
  options: { player: playerOption('seen.options.player', false) },

  ...aboutPlayer(show),
});

async function show(driver: string, context: Context): Promise<Reply> {
  const { history, t, now } = context;
  const { name: zone } = await readerZone(context);
  const [past, usual, location] = await Promise.all([
    history.driver(driver, MAX_SESSIONS),
    history.usualHours(driver, zone),
    whereIs(driver, context),
  ]);
  if (past === null && location.online === null) return answerUnseen(driver, context);
  const nickname = context.recentNames.nicknameOf(driver);
  return seenCard(
    { driver, nickname, unseen: unseenServers(context), past, usual, zone, now, ...location },
    t,
  );
}

/** An old file does not say where anybody is. */
async function whereIs(driver: string, context: Context) {
  const read = await currentFiles(LiveServer.options, context);
  const foldedName = sameSpelling(driver);
  const isHere = ({ username }: { readonly username: string | null }): boolean =>
    username !== null && sameSpelling(username) === foldedName;
  const players = read.flatMap((file) => file.players);
  const isNamed = players.some(({ username }) => username !== null);
  return {
    online: read.find((each) => each.players.some(isHere))?.server ?? null,
    unread: LiveServer.options.filter((server) => read.every((file) => file.server !== server)),
    live: isNamed ? ('named' as const) : players.length > 0 ? ('unnamed' as const) : ('unknown' as const),
  };
}
