import { isPart } from '../../base/config/shards-setting.ts';
import type { Config } from '../../base/config.ts';
import {
  type Application,
  inviteLink,
  personalLink,
  takesPeople,
} from '../../discord/publish/application.ts';
import { allCommands, allPayloads } from '../../discord/publish/commands.ts';
import type { DiscordProbe, GuildAccess, ProbeAnswer } from '../../discord/publish/probe.ts';
import { createAllCatalogues } from '../../features/texts.ts';
import { createTranslators } from '../../i18n/translator.ts';
import {
  type Access,
  type BoardSettings,
  PLACE_RIGHTS,
  placesOf,
  RIGHTS,
} from '../../service/models/board.ts';
import { type Finding, failedFinding, passedFinding, troubleFinding, warningFinding } from './finding.ts';

interface Setup {
  /** Guild of the published commands; null: everywhere. */
  readonly guildId: string | null;
  readonly shards: Config['discord']['shards'];
  readonly boards: readonly BoardSettings[];
  /** Returns why that application may not use the store, and what to do; null if it may. */
  readonly storeTrouble: (applicationId: string) => string | null;
}

/** Without a valid token of the store's application nothing else can be asked. */
export async function examineDiscord(
  discord: DiscordProbe,
  { guildId, shards, boards, storeTrouble }: Setup,
): Promise<readonly Finding[]> {
  const application = await discord.application();
  if (application.kind !== 'answer') return [tokenFailure(application)];
  const { id, name } = application.value;
  const trouble = storeTrouble(id);
  // The bot does not start, and what the store says is about another one.
  if (trouble !== null) return [troubleFinding('token', trouble)];
  const starts = await discord.starts();
  return [
    passedFinding('token', `belongs to the application ${name} (${id})`),
    ...(starts.kind === 'answer'
      ? [loginsFinding(starts.value.session_start_limit), shardsFinding(shards, starts.value.shards)]
      : [unanswered('logins', starts)]),
    serversFinding(await discord.guilds(), id),
    installsFinding(application.value),
    await commandsFinding(discord, application.value, guildId),
    ...(await boardFindings(discord, id, boards)),
  ];
}

type Unanswered = Exclude<ProbeAnswer<unknown>, { kind: 'answer' }>;

function tokenFailure(answer: Unanswered): Finding {
  if (answer.kind === 'refused' && answer.status === 401)
    return failedFinding(
      'token',
      'DISCORD_TOKEN was rejected by Discord',
      'Copy it again from the Discord Developer Portal (Bot, Reset Token).',
    );
  return failedFinding(
    'token',
    `not checked: Discord does not answer (${whyNot(answer)})`,
    'Check the network and DISCORD_API_URL; Discord says on discordstatus.com whether it has an outage.',
  );
}

function loginsFinding({
  total,
  remaining,
}: {
  readonly total: number;
  readonly remaining: number;
}): Finding {
  const summary = `${remaining} of ${total} left today`;
  if (remaining === 0)
    return failedFinding(
      'logins',
      summary,
      'Stop the bot for a day and find in its log why it restarts: Discord resets the token otherwise.',
    );
  return remaining < total / 10
    ? warningFinding('logins', summary, 'Find in the log why the bot logs in so often.')
    : passedFinding('logins', summary);
}

function serversFinding(guilds: Awaited<ReturnType<DiscordProbe['guilds']>>, applicationId: string): Finding {
  if (guilds.kind !== 'answer') return unanswered('servers', guilds);
  const { length } = guilds.value;
  if (length === 0)
    return warningFinding('servers', 'the bot is in no server', `Invite it: ${inviteLink(applicationId)}`);
  return passedFinding('servers', length === 200 ? 'in 200 or more' : `in ${length}`);
}

function installsFinding(application: Application): Finding {
  const says = takesPeople(application)
    ? `people may add the bot to theirs: ${personalLink(application.id)}`
    : 'the bot is for servers alone; User Install in the Discord Developer Portal (Installation) lets people add it to theirs';
  return passedFinding('own accounts', says);
}

async function commandsFinding(
  discord: DiscordProbe,
  application: Application,
  guildId: string | null,
): Promise<Finding> {
  const { id } = application;
  const commands = await allCommands();
  const payloads = await allPayloads(commands, createTranslators(createAllCatalogues()), guildId === null);
  const published = await discord.commands(application, guildId, payloads);
  if (published.kind === 'refused' && published.status === 403)
    return failedFinding(
      'commands',
      'DISCORD_GUILD_ID: the bot is not in that server, or was invited without the scope applications.commands',
      `Invite it again: ${inviteLink(id)}`,
    );
  if (published.kind !== 'answer') return unanswered('commands', published);
  const scope = guildId === null ? 'everywhere' : `in the server ${guildId}`;
  switch (published.value) {
    case 'same':
      return passedFinding('commands', `all ${commands.size} are published ${scope}`);
    case 'none':
      return warningFinding('commands', `none are published ${scope}`, 'Start the bot: it publishes them.');
    case 'different':
      return warningFinding(
        'commands',
        `those of another version are published ${scope}`,
        'Restart the bot: it publishes its own.',
      );
  }
}

function unanswered(check: Finding['check'], answer: Unanswered): Finding {
  return warningFinding(
    check,
    `not checked: Discord does not answer (${whyNot(answer)})`,
    'Run the doctor again.',
  );
}

function whyNot(answer: Unanswered): string {
  return answer.kind === 'lost' ? answer.why : `status ${answer.status}, code ${answer.code}`;
}

/** `recommended`: by Discord, which demands one for every 2500 servers and recommends more. */
function shardsFinding(setting: Setup['shards'], recommended: number): Finding {
  if (setting === 'auto') return passedFinding('shards', `${counted(recommended)}, as Discord recommends`);
  const { first, last, total } = setting;
  const ownPart = isPart(setting) ? `this process connects ${last - first + 1} of ` : '';
  const says = `SHARDS: ${ownPart}${counted(total)}, Discord recommends ${recommended}`;
  return total < recommended
    ? warningFinding(
        'shards',
        says,
        `Raise it before Discord refuses the logins: SHARDS=${recommended}, or auto.`,
      )
    : passedFinding('shards', says);
}

function counted(shards: number): string {
  return shards === 1 ? '1 shard' : `${shards} shards`;
}

/** Three requests to Discord for each server with a board, one after another: the bot may be sending its own. */
export async function boardFindings(
  discord: Pick<DiscordProbe, 'access'>,
  botId: string,
  boards: readonly BoardSettings[],
): Promise<readonly Finding[]> {
  const currentBoards = boards.filter(({ removed }) => !removed);
  if (currentBoards.length === 0) return [passedFinding('boards', 'there are none')];
  const troubled: Finding[] = [];
  for (const [guildId, inGuild] of Map.groupBy(currentBoards, (board) => board.guildId)) {
    const access = await discord.access(guildId, botId);
    troubled.push(...inGuild.flatMap((board) => findingsOf(board, access)));
  }
  if (troubled.length > 0) return troubled;
  return [
    passedFinding(
      'boards',
      currentBoards.length === 1
        ? 'the one board has all its permissions'
        : `all ${currentBoards.length} boards have all their permissions`,
    ),
  ];
}

/** Checks the rights of a board, and those of its places besides the message. */
function findingsOf(board: BoardSettings, access: GuildAccess): readonly Finding[] {
  const { guildId, channelId } = board;
  const where = (id: string): string => `channel ${id} of server ${guildId}`;
  const boardAccess = access(channelId, RIGHTS);
  const places = boardAccess.kind === 'open' || boardAccess.kind === 'missing' ? placesOf(board) : [];
  const placeFindings = places.map((place) =>
    placeFinding(where(place.channelId), place.kind, access(place.channelId, PLACE_RIGHTS[place.kind])),
  );
  return [boardFinding(where(channelId), boardAccess), ...placeFindings].filter(
    (finding) => finding !== null,
  );
}

/** Null where all is well. */
function boardFinding(where: string, access: Access): Finding | null {
  switch (access.kind) {
    case 'open':
      return null;
    case 'missing':
      return failedFinding(
        'boards',
        `${where}: missing ${formatRights(access.rights)}`,
        'Grant it in the permissions of that channel.',
      );
    case 'unknown-channel':
      return failedFinding(
        'boards',
        `${where}: I cannot find it`,
        'Remove the board with /board remove, or invite the bot again.',
      );
    case 'unavailable':
      return warningFinding(
        'boards',
        `${where}: Discord did not say what I may do there`,
        'Run the doctor again.',
      );
  }
}

/** The places besides the message in words. */
const places = {
  topic: { label: 'its topic', leave: 'leave the topic alone with /board edit topic:off' },
  voice: {
    label: 'its voice channel status',
    leave: 'leave the status alone with /board edit voice-status:off',
  },
} as const satisfies Record<keyof typeof PLACE_RIGHTS, { readonly label: string; readonly leave: string }>;

/** A warning: the board itself does without. */
function placeFinding(where: string, kind: keyof typeof places, access: Access): Finding | null {
  if (access.kind === 'missing') {
    const { label, leave } = places[kind];
    return warningFinding(
      'boards',
      `${where}: missing for ${label}: ${formatRights(access.rights)}`,
      `Grant it in the permissions of that channel, or ${leave}.`,
    );
  }
  if (kind === 'topic' || access.kind !== 'unknown-channel') return null;
  return warningFinding(
    'boards',
    `${where}: I cannot find it, and a board shows its headline as that channel's status`,
    'Choose another voice channel with /board edit.',
  );
}

/** Formats permissions as Discord shows them: `SendMessages` → `Send Messages`. */
function formatRights(rights: readonly string[]): string {
  return rights.map((right) => right.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')).join(', ');
}
