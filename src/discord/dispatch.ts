import { setTimeout as pause } from 'node:timers/promises';
import {
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  type MessageComponentInteraction,
  MessageFlags,
  type UserContextMenuCommandInteraction,
} from 'discord.js';
import {
  type Context,
  type Person,
  PRIVATE_OPTION,
  type Reply,
  type Suggestion,
  type Visibility,
} from '../app/command.ts';
import type { Viewer } from '../app/viewer.ts';
import { asksAnew, readCustomId } from '../cards/kit/custom-id.ts';
import { within } from '../clock.ts';
import { UserError } from '../errors.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import type { GuildSettings } from '../store/guild-settings.ts';
import { invoked, personOf, readArgs } from './args.ts';
import { type Destination, deliver } from './deliver.ts';
import type { Commands, LoadedCommand } from './load.ts';
import { type Offer, offerNear } from './offer.ts';
import { failure, type Outcome, outcomeOf } from './outcome.ts';
import { choices } from './suggest.ts';

/** What the dispatch of interactions is made of. */
export interface DispatchParts extends Omit<Context, 't' | 'person' | 'now' | 'commandList'> {
  readonly commands: Commands;
  /** How somebody reads there. Never rejects. */
  readonly viewerOf: (person: Person, locale: string) => Promise<Viewer>;
  /** Menus come back by their English names. */
  readonly translatorFor: (locale: string) => Translator;
  readonly log: Log;
  /**
   * Where several processes are told of the same interaction: whether this one answers it. May reject; an interaction is
   * then rather answered by two, of whom chat hears one, than by none.
   */
  readonly claimInteraction?: ((interactionId: string) => Promise<boolean>) | null;
  /** Told of errors that nobody foresaw: the number that the person was told, the command, and the error's own name. */
  readonly onBug?: (bug: { readonly id: string; readonly command: string; readonly kind: string }) => void;
  /** Milliseconds that a command may take before it is deferred; well under chat's three seconds. */
  readonly deferAfter?: number;
  /** Milliseconds after which the person is told that it took too long. */
  readonly limit?: number;
}

export interface Dispatch {
  /** Takes an interaction and answers it. Never throws. */
  handle(interaction: Interaction): void;
  /**
   * From now on nothing new is begun. Resolves when what runs has been answered; what takes longer than that
   * many milliseconds is told to try again.
   */
  drain(patience: number): Promise<void>;
}

const DEFER_AFTER = 400;
/** Longer than the service ever takes (waiting for a permit, one request, its retry), shorter than chat's 15 minutes. */
const LIMIT = 60_000;
/** For the last words to those who are told to try again. */
const GOODBYE = 1000;
/** For another process to take an interaction from one that is stopping. */
const COURTESY = 200;

/** Interaction → Reply: the one place that acknowledges, replies and words errors. */
export function createDispatch(parts: DispatchParts): Dispatch {
  const {
    commands,
    viewerOf,
    translatorFor,
    service,
    log: _log,
    deferAfter = DEFER_AFTER,
    limit = LIMIT,
    claimInteraction = null,
    ...context
  } = parts;
  const menus = new Map(
    [...commands].flatMap(([name, command]) =>
      command.userMenu === undefined
        ? []
        : [[translatorFor('en')(command.userMenu.name), { name, command, menu: command.userMenu }]],
    ),
  );
  const commandList = [...commands].map(([name, { description, example, permission, guildOnly }]) => ({
    name,
    description,
    ...(example === undefined ? {} : { example }),
    ...(permission === undefined ? {} : { permission }),
    ...(guildOnly === undefined ? {} : { guildOnly }),
  }));
  const running = new Set<Promise<void>>();
  /** Each answers for one command that is still at work. */
  const stops = new Set<() => void>();
  let stopping = false;

  function contextFor(person: Person, t: Translator): Context {
    return { ...context, commandList, service: serviceFor(person), t, person, now: Date.now() };
  }

  /** The service as this person asks it: what they look up is charged to them. */
  function serviceFor({ id, guildId }: Person): Context['service'] {
    const asker = { personId: id, guildId };
    return { get: (endpoint, asked, ask) => service.get(endpoint, asked, { ...ask, asker }) };
  }

  /** Runs the work under the limits and sees to it that one reply comes of it. */
  async function answer(
    destination: Destination,
    log: Log,
    work: (context: Context, settings: GuildSettings) => Promise<Reply>,
    offer?: () => Offer | null,
  ): Promise<void> {
    const person = personOf(destination.interaction);
    const { t, settings, measured } = await viewerOf(person, destination.interaction.locale);
    const command = nameOf(destination.interaction);
    const onBug = (id: string, error: unknown): void =>
      parts.onBug?.({ id, command, kind: error instanceof Error ? error.name : typeof error });
    const cut = Promise.withResolvers<Outcome>();
    const stop = (): void => cut.resolve(failure(t('chat.stopping')));
    const timer = setTimeout(() => {
      log.warn({ limit }, 'a command took too long');
      cut.resolve(failure(t('chat.late')));
    }, limit);
    if (stopping) stop();
    stops.add(stop);
    const begun = performance.now();
    try {
      const outcome = stopping
        ? cut.promise
        : Promise.race([
            outcomeOf(async () => work(contextFor(person, await measured()), settings), t, log, offer, onBug),
            cut.promise,
          ]);
      await deliver(destination, outcome, { deferAfter, t, log, onBug });
      log.debug({ milliseconds: Math.round(performance.now() - begun) }, 'answered');
    } finally {
      clearTimeout(timer);
      stops.delete(stop);
    }
  }

  async function invoke(interaction: ChatInputCommandInteraction): Promise<void> {
    const command = commands.get(interaction.commandName);
    const log = parts.log.child({ command: interaction.commandName });
    let offer = (): Offer | null => null;
    const work = async (context: Context): Promise<Reply> => {
      const invocable =
        command === undefined ? undefined : invoked(command, interaction.options.getSubcommand(false));
      if (command === undefined || invocable === undefined) throw new UserError(context.t('chat.oldCommand'));
      admit(command, context);
      const args = readArgs(invocable.options, interaction.options, context.t);
      offer = () => offerNear(interaction.commandName, invocable, args, context);
      return invocable.run(args, context);
    };
    await answer({ to: visibilityOf(command, interaction), interaction }, log, work, () => offer());
  }

  async function press(interaction: MessageComponentInteraction): Promise<void> {
    const id = readCustomId(interaction.customId);
    const command = id === null ? undefined : commands.get(id.command);
    const log = parts.log.child({ command: id?.command, action: id?.action });
    const to = isOwn(interaction) ? 'in-place' : 'private';
    await answer({ to, interaction }, log, async (context, { refresh }) => {
      if (id === null || command?.onComponent === undefined) throw new UserError(context.t('chat.oldButton'));
      admit(command, context);
      if (refresh === 'asker' && to === 'private' && asksAnew(id))
        throw new UserError(context.t('chat.notYourRefresh'));
      const values = interaction.isAnySelectMenu() ? interaction.values : [];
      return command.onComponent({ action: id.action, subject: id.subject, values }, context);
    });
  }

  async function openMenu(interaction: UserContextMenuCommandInteraction): Promise<void> {
    const found = menus.get(interaction.commandName);
    const log = parts.log.child({ menu: found?.name });
    await answer({ to: 'private', interaction }, log, async (context) => {
      if (found === undefined) throw new UserError(context.t('chat.oldCommand'));
      admit(found.command, context);
      return found.menu.run(interaction.targetId, context);
    });
  }

  async function suggest(interaction: AutocompleteInteraction): Promise<void> {
    const { name, value: typed } = interaction.options.getFocused(true);
    const command = commands.get(interaction.commandName);
    const option =
      command === undefined
        ? undefined
        : invoked(command, interaction.options.getSubcommand(false))?.options[name];
    const complete = option?.kind === 'text' ? option.complete : undefined;
    let suggestions: readonly Suggestion[] = [];
    try {
      const person = personOf(interaction);
      const { t } = await viewerOf(person, interaction.locale);
      const link = await context.links.of(person.id);
      suggestions =
        complete?.(typed, { recentNames: context.recentNames, t, own: link?.username ?? null }) ?? [];
    } catch (error) {
      parts.log.error({ err: error, command: interaction.commandName }, 'no suggestions');
    }
    await interaction.respond(choices(typed, suggestions));
  }

  async function isTaken({ id }: Interaction): Promise<boolean> {
    if (claimInteraction === null) return false;
    // One that need not send people away goes first.
    if (stopping) await pause(COURTESY);
    try {
      return !(await claimInteraction(id));
    } catch {
      return false;
    }
  }

  async function route(interaction: Interaction): Promise<void> {
    if (await isTaken(interaction)) return;
    if (interaction.isAutocomplete()) await suggest(interaction);
    else if (interaction.isChatInputCommand()) await invoke(interaction);
    else if (interaction.isUserContextMenuCommand()) await openMenu(interaction);
    else if (interaction.isMessageComponent()) await press(interaction);
    else parts.log.warn({ type: interaction.type }, 'an interaction of a kind that Pitwall has none of');
  }

  return {
    handle(interaction) {
      const handled: Promise<void> = route(interaction)
        .catch((error: unknown) => parts.log.warn({ err: error }, 'an interaction could not be answered'))
        .finally(() => running.delete(handled));
      running.add(handled);
    },
    async drain(patience) {
      stopping = true;
      await within(Promise.all(running), patience);
      for (const stop of stops) stop();
      await within(Promise.all(running), GOODBYE);
    },
  };
}

/**
 * Chat hides what somebody may not use, but a guild may have changed what is hidden from whom, and a button stays on
 * the screen for everyone.
 */
function admit({ permission, guildOnly }: LoadedCommand, { person, t }: Context): void {
  if (guildOnly && person.guildId === null) throw new UserError(t('chat.guildOnly'));
  if (permission === 'manage-guild' && !person.mayManage) throw new UserError(t('chat.notAllowed'));
}

/** Who will read the answer. A command that we do not have is nobody else's business. */
function visibilityOf(
  command: LoadedCommand | undefined,
  { options }: ChatInputCommandInteraction,
): Visibility {
  if (command === undefined) return 'private';
  if (command.visibility !== 'choice') return command.visibility;
  return options.getBoolean(PRIVATE_OPTION) === true ? 'private' : 'public';
}

/** Of the command that was invoked, or whose button or menu was used. */
function nameOf(interaction: Destination['interaction']): string {
  if (interaction.isCommand()) return interaction.commandName;
  return readCustomId(interaction.customId)?.command ?? interaction.customId;
}

/** Whether the message answers this very person: theirs to change. Another one's stays as it is. */
function isOwn({ message, user }: MessageComponentInteraction): boolean {
  return message.flags.has(MessageFlags.Ephemeral) || message.interactionMetadata?.user.id === user.id;
}
