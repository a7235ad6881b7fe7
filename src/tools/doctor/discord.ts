import { createAllCatalogues } from '../../../commands/subjects.ts';
import { isPart } from '../../base/config/shards-setting.ts';
import type { Config } from '../../base/config.ts';
import type { Access, BoardSettings } from '../../cards/board/board.ts';
import { rightNames } from '../../cards/board/right-name.ts';
import {
  type Application,
  inviteLink,
  personalLink,
  takesPeople,
} from '../../discord/publish/application.ts';
import { allCommands, allPayloads } from '../../discord/publish/commands.ts';
import type { DiscordProbe, ProbeAnswer } from '../../discord/publish/probe.ts';
import { createTranslators, type Translator } from '../../i18n/translator.ts';
import {
  type Finding,
  type Findings,
  failedFinding,
  passedFinding,
  troubleFinding,
  warningFinding,
} from './finding.ts';

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
): Promise<Findings> {
  const application = await discord.application();
  const token = tokenFinding(application);
  if (application.kind !== 'answer') return { token };
  const { id } = application.value;
  const trouble = storeTrouble(id);
  // The bot does not start, and what the store says is about another one.
  if (trouble !== null) return { token: troubleFinding(trouble) };
  const translatorFor = createTranslators(createAllCatalogues());
  const starts = await discord.starts();
  const guilds = await discord.guilds();
  const commands = await allCommands();
  const payloads = await allPayloads(commands, translatorFor, guildId === null);
  const published = await discord.commands(application.value, guildId, payloads);
  return {
    token,
    logins: judge(starts, ({ session_start_limit: logins }) => loginsFinding(logins)),
    shards: starts.kind === 'answer' ? shardsFinding(shards, starts.value.shards) : null,
    servers: judge(guilds, ({ length }) => serversFinding(length, id)),
    'own accounts': installsFinding(application.value),
    commands: commandsFinding(published, commands.size, { guildId, applicationId: id }),
    boards: await boardFindings(discord, id, boards, translatorFor('en')),
  };
}

type Unanswered = Exclude<ProbeAnswer<unknown>, { kind: 'answer' }>;

/** Judges an answer of Discord, if there is one. */
function judge<T>(answer: ProbeAnswer<T>, findingOf: (value: T) => Finding): Finding {
  if (answer.kind === 'answer') return findingOf(answer.value);
  return warningFinding(unanswered(answer), 'Run the doctor again.');
}

function unanswered(answer: Unanswered): string {
  const why = answer.kind === 'lost' ? answer.why : `status ${answer.status}, code ${answer.code}`;
  return `not checked: Discord does not answer (${why})`;
}

export function tokenFinding(answer: Awaited<ReturnType<DiscordProbe['application']>>): Finding {
  if (answer.kind === 'answer')
    return passedFinding(`belongs to the application ${answer.value.name} (${answer.value.id})`);
  if (answer.kind === 'refused' && answer.status === 401)
    return failedFinding(
      'DISCORD_TOKEN was rejected by Discord',
      'Copy it again from the Discord Developer Portal (Bot, Reset Token), which shows it only once.',
    );
  return failedFinding(
    unanswered(answer),
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
      summary,
      'Stop the bot for a day and find in its log why it restarts: Discord resets the token otherwise.',
    );
  return remaining < total / 10
    ? warningFinding(summary, 'Find in the log why the bot logs in so often.')
    : passedFinding(summary);
}

function serversFinding(count: number, applicationId: string): Finding {
  if (count === 0)
    return warningFinding('the bot is in no server', `Invite it: ${inviteLink(applicationId)}`);
  return passedFinding(count === 200 ? 'in 200 or more' : `in ${count}`);
}

function installsFinding(application: Application): Finding {
  return passedFinding(
    takesPeople(application)
      ? `people may add the bot to theirs: ${personalLink(application.id)}`
      : 'the bot is for servers alone; User Install in the Discord Developer Portal (Installation) lets people add it to theirs',
  );
}

function commandsFinding(
  published: Awaited<ReturnType<DiscordProbe['commands']>>,
  count: number,
  { guildId, applicationId }: { readonly guildId: string | null; readonly applicationId: string },
): Finding {
  if (published.kind === 'refused' && published.status === 403)
    return failedFinding(
      'DISCORD_GUILD_ID: the bot is not in that server, or was invited without the scope applications.commands',
      `Invite it again: ${inviteLink(applicationId)}`,
    );
  const scope = guildId === null ? 'everywhere' : `in the server ${guildId}`;
  return judge(published, (state) => {
    if (state === 'same') return passedFinding(`all ${count} are published ${scope}`);
    return state === 'none'
      ? warningFinding(`none are published ${scope}`, 'Start the bot: it publishes them.')
      : warningFinding(
          `those of another version are published ${scope}`,
          'Restart the bot: it publishes its own.',
        );
  });
}

/** `recommended`: by Discord, which demands one for every 2500 servers and recommends more. */
function shardsFinding(setting: Setup['shards'], recommended: number): Finding {
  if (setting === 'auto') return passedFinding(`${counted(recommended)}, as Discord recommends`);
  const { first, last, total } = setting;
  const ownPart = isPart(setting) ? `this process connects ${last - first + 1} of ` : '';
  const says = `SHARDS: ${ownPart}${counted(total)}, Discord recommends ${recommended}`;
  return total < recommended
    ? warningFinding(says, `Raise it before Discord refuses the logins: SHARDS=${recommended}, or auto.`)
    : passedFinding(says);
}

function counted(shards: number): string {
  return shards === 1 ? '1 shard' : `${shards} shards`;
}

/** Three requests to Discord for each server with a board, one after another: the bot may be sending its own. */
export async function boardFindings(
  discord: Pick<DiscordProbe, 'access'>,
  botId: string,
  boards: readonly BoardSettings[],
  t: Translator,
): Promise<Finding | readonly Finding[]> {
  const currentBoards = boards.filter(({ removed }) => !removed);
  const count = currentBoards.length;
  if (count === 0) return passedFinding('there are none');
  const troubled: Finding[] = [];
  for (const [guildId, inGuild] of Map.groupBy(currentBoards, (board) => board.guildId)) {
    const access = await discord.access(guildId, botId);
    const findings = inGuild.map(({ channelId }) =>
      boardFinding(`channel ${channelId} of server ${guildId}`, access(channelId), t),
    );
    troubled.push(...findings.filter((finding) => finding !== null));
  }
  if (troubled.length > 0) return troubled;
  return passedFinding(
    count === 1 ? 'the one board has all its permissions' : `all ${count} boards have all their permissions`,
  );
}

/** Null where all is well. */
function boardFinding(where: string, access: Access, t: Translator): Finding | null {
  switch (access.kind) {
    case 'open':
      return null;
    case 'missing':
      return failedFinding(
        `${where}: missing ${rightNames(access.rights, t)}`,
        'Grant it in the permissions of that channel.',
      );
    case 'unknown-channel':
      return failedFinding(
        `${where}: I cannot find it`,
        'Remove the board with /board remove, or invite the bot again.',
      );
    case 'unavailable':
      return warningFinding(`${where}: Discord did not say what I may do there`, 'Run the doctor again.');
  }
}
