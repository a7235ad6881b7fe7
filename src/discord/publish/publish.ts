import { isDeepStrictEqual } from 'node:util';
import { ApplicationCommandType, RateLimitError, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { sleep } from '../../base/clock.ts';
import { doublePause, HOUR, SECOND } from '../../base/duration.ts';
import { StartError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Runtime } from '../../base/runtime.ts';
import { hasCode } from '../rest/resend.ts';
import type { Rest } from '../rest/rest-client.ts';
import { type Application, allowedPayloads } from './application.ts';
import type { Payload } from './describe-commands.ts';

const localizations = z
  .record(z.string(), z.string())
  .nullish()
  .transform((texts) => texts ?? {});

const base = {
  name: z.string(),
  name_localizations: localizations,
  description: z.string(),
  description_localizations: localizations,
};

const Choices = z
  .array(z.object({ name: z.string(), name_localizations: localizations, value: z.string() }))
  .default([]);

const option = {
  ...base,
  type: z.int(),
  required: z.boolean().default(false),
  autocomplete: z.boolean().default(false),
  choices: Choices,
  channel_types: z.array(z.int()).default([]),
};

const numbers = z
  .array(z.int())
  .nullish()
  .transform((list) => list?.toSorted((a, b) => a - b) ?? null);

/**
 * The fields of a command that we set, with Discord's defaults for omitted ones. Discord's own fields are not read.
 */
const PublishedCommands = z.array(
  z.object({
    ...base,
    // A menu entry has none.
    description: z.string().default(''),
    type: z.int().default(ApplicationCommandType.ChatInput),
    default_member_permissions: z
      .string()
      .nullish()
      .transform((bits) => bits ?? null),
    nsfw: z.boolean().default(false),
    contexts: numbers,
    integration_types: numbers,
    options: z.array(z.object({ ...option, options: z.array(z.object(option)).default([]) })).default([]),
  }),
);

/** `later`: Discord does not accept them now. The published ones stay; try again. */
type PublishResult = 'published' | 'unchanged' | 'later';

/** `guildId`: the one guild to publish in, where commands appear at once; null for globally. */
export function createPublisher(
  rest: Pick<Rest, 'get' | 'put'>,
  guildId: string | null,
  payloads: readonly Payload[] | Promise<readonly Payload[]>,
  log: Log,
) {
  let ids: ReadonlyMap<string, string> = new Map();

  /**
   * Replaces the application's published commands unless they are the same: Discord allows 200 new commands a day.
   * Throws a {@link StartError} for a problem that only the bot's owner can fix.
   */
  async function publish({ id, ...installs }: Application): Promise<PublishResult> {
    const payloadsToPublish = allowedPayloads(await payloads, installs);
    try {
      const route =
        guildId === null ? Routes.applicationCommands(id) : Routes.applicationGuildCommands(id, guildId);
      const published: unknown = await rest.get(route, {
        query: new URLSearchParams({ with_localizations: 'true' }),
      });
      ids = idsOf(published);
      if (isSame(payloadsToPublish, published)) return 'unchanged';
      ids = idsOf(await rest.put(route, { body: payloadsToPublish }));
      return 'published';
    } catch (error) {
      if (error instanceof StartError) throw error;
      if (guildId !== null && hasCode(error, RESTJSONErrorCodes.MissingAccess))
        throw new StartError(
          'DISCORD_GUILD_ID: Pitwall is not in that server, or was invited without the scope applications.commands; invite it again',
        );
      const retryAfter =
        error instanceof RateLimitError ? { seconds: Math.ceil(error.retryAfter / SECOND) } : {};
      log.error({ err: error, ...retryAfter }, 'the commands could not be published; the old ones stay');
      return 'later';
    }
  }

  return {
    publish,
    /** The slash command's id, as last read; null if Discord has not reported one. */
    idOf: (name: string) => ids.get(name) ?? null,
  };
}

const Identified = z.array(
  z.object({ id: z.string(), name: z.string(), type: z.int().default(ApplicationCommandType.ChatInput) }),
);

function idsOf(published: unknown): ReadonlyMap<string, string> {
  const commands = Identified.safeParse(published).data ?? [];
  return new Map(
    commands
      .filter(({ type }) => type === ApplicationCommandType.ChatInput)
      .map(({ name, id }) => [name, id]),
  );
}

/** Between two attempts, in ms; it doubles. */
const RETRY_PAUSE_MS = { first: SECOND, longest: HOUR };

/**
 * Publishes the commands, and tries again after growing pauses until Discord accepts them. Gives up where `publish`
 * rejects, and only then resolves, with the reason.
 */
export function keepPublishing(
  publish: () => Promise<PublishResult>,
  { clock, log, resources }: Pick<Runtime, 'clock' | 'log' | 'resources'>,
): Promise<unknown> {
  const { promise: refused, resolve } = Promise.withResolvers<unknown>();
  const end = new AbortController();
  resources.defer(() => end.abort());

  async function untilAccepted(): Promise<void> {
    for (let attempts = 0; ; attempts += 1) {
      const published = await publish();
      log.info({ published }, 'commands');
      if (published !== 'later') return;
      await sleep(clock, doublePause(RETRY_PAUSE_MS, attempts), end.signal);
    }
  }

  untilAccepted().catch((error: unknown) => {
    if (!end.signal.aborted) resolve(error);
  });
  return refused;
}

/** Discord has published what would be published. */
export function isSame(payloads: readonly Payload[], published: unknown): boolean {
  const parsed = PublishedCommands.safeParse(published);
  if (!parsed.success || parsed.data.length !== payloads.length) return false;
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  const expected = PublishedCommands.parse(payloads).toSorted(byName);
  // Discord has some for the commands of one guild, too, which may not state them.
  const actual = parsed.data.toSorted(byName).map((command, index) => ({
    ...command,
    integration_types: expected[index]?.integration_types == null ? null : command.integration_types,
  }));
  return isDeepStrictEqual(expected, actual);
}
