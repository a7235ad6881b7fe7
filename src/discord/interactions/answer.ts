import { randomUUID } from 'node:crypto';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { type ContextParts, contextFor, type Person } from '../../app/context.ts';
import type { Reply } from '../../app/reply.ts';
import type { Viewer } from '../../app/viewer.ts';
import { MINUTE } from '../../base/duration.ts';
import { UserError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Row } from '../../cards/kit/card.ts';
import { pausedMessage } from '../../cards/watch/watch-text.ts';
import type { Translator } from '../../i18n/translator.ts';
import { allows } from '../permissions.ts';
import { acknowledge } from '../rest/resend.ts';
import type { Notice } from '../send/direct-message.ts';
import { personOf } from './args.ts';
import { type Asked, traitsOf, UNKNOWN } from './asked.ts';
import { type Destination, deliver, sendNotice } from './deliver.ts';
import type { Opening } from './open-form.ts';
import { failure, type Outcome, outcomeOf, type Reporting, type Result, withId } from './outcome.ts';
import { isShareable } from './share.ts';
import { withShare } from './share-button.ts';

/** One interaction that is over. */
export interface Answered {
  readonly command: string;
  readonly outcome: Result;
  /** Milliseconds from its arrival until Discord had taken the first response; null where it took none. */
  readonly acknowledgedAfter: number | null;
}

export interface AnswerParts {
  readonly context: ContextParts;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Never rejects. */
  readonly viewerOf: (person: Person) => Promise<Viewer>;
  readonly log: Log;
  /** Draws a chart as a PNG; null where that is not possible in time. Never rejects. */
  readonly draw?: (chart: NonNullable<Reply['picture']>['chart']) => Promise<Uint8Array | null>;
  /** Sends a direct message. Never rejects. */
  readonly notify: (notice: Notice) => Promise<unknown>;
  /** Called for each bug, with the id shown to the person, the command, and the error's name. */
  readonly onBug?: (bug: { readonly id: string; readonly command: string; readonly kind: string }) => void;
  readonly onAnswered?: ((answered: Answered) => void) | undefined;
  /** How long after its arrival a command is deferred in ms; well under Discord's three seconds. */
  readonly deferAfter?: number;
  /** After this time (ms) the person is told that it took too long. */
  readonly limit?: number;
}

/** Who has asked, and when. */
interface Asker {
  /** Never rejects. It may take as long as the store: what can be done without it does not wait. */
  readonly viewing: Promise<Viewer>;
  /** `performance.now()`. */
  readonly arrivedAt: number;
  /** How many interactions were being answered then. */
  readonly ahead: number;
}

const DEFER_AFTER = 300;
/** One deferral takes about so many ms: those that come together would otherwise be due together, and late. */
const DEFERRAL = 1;
/** Longer than the service ever takes (a permit, one request, its retry), shorter than Discord's 15 minutes. */
const LIMIT = MINUTE;

/** Runs a command within the time limits and sends exactly one reply. */
export function createAnswer(parts: AnswerParts) {
  const { context, now = Date.now, notify, deferAfter = DEFER_AFTER, limit = LIMIT } = parts;
  const { limited, refuseNew, stopAll } = createLimits(limit);

  async function answer(asked: Asked, { viewing, arrivedAt, ahead }: Asker): Promise<void> {
    const { command, detail, destination } = asked;
    const id = randomUUID().slice(0, 8);
    const log = parts.log.child({ id, command, ...detail });
    const person = personOf(destination.interaction);
    const onBug = (error: unknown): void =>
      parts.onBug?.({ id, command, kind: error instanceof Error ? error.name : typeof error });
    const reporting = viewing.then(({ t }) => ({ id, t, log, onBug }));
    const run = async (): Promise<Outcome> => {
      const viewer = await viewing;
      const { t } = viewer;
      const known = await reporting;
      const ended = await limited(workOf(asked, { person, viewer, reporting: known }, parts), known);
      return ended.result === 'answered' && isShareable(asked, ended.reply, viewer)
        ? { ...ended, reply: withShare(ended.reply, t) }
        : withAgain(ended, asked.again?.(t) ?? null);
    };
    const outcome = run();
    const deferIn = Math.max(0, arrivedAt + deferAfter - ahead * DEFERRAL - performance.now());
    const { result, acknowledgedAt } = await deliver(destination, outcome, {
      log,
      reporting,
      deferAfter: deferIn,
    });
    asked.settled?.(result);
    const milliseconds = Math.round(performance.now() - arrivedAt);
    // What no command of ours asks for may come as often as somebody likes.
    log[command === UNKNOWN ? 'debug' : 'info']({ outcome: result, milliseconds }, 'interaction');
    const acknowledgedAfter = acknowledgedAt === null ? null : acknowledgedAt - arrivedAt;
    parts.onAnswered?.({ command, outcome: result, acknowledgedAfter });
    await notifyOthers(await outcome, destination, notify);
    await sendNotice(destination, async () => pauseNotice(person, context, (await viewing).t), log);
  }

  /** Shows a window to fill in, or says privately why not. */
  async function open(opening: Opening, asker: Asker): Promise<void> {
    const { name: command, interaction } = opening;
    const person = personOf(interaction);
    const { t } = await asker.viewing;
    try {
      const window = await opening.window(contextFor(context, { t, person, now: now() }));
      await acknowledge(() => interaction.showModal(window));
      parts.onAnswered?.({
        command,
        outcome: 'answered',
        acknowledgedAfter: performance.now() - asker.arrivedAt,
      });
    } catch (error) {
      const destination = { to: 'private', interaction } as const;
      const run = () => Promise.reject(error);
      await answer({ command, destination, ...traitsOf(undefined), run }, asker);
    }
  }

  return { answer, open, refuseNew, stopAll };
}

interface Asking {
  readonly person: Person;
  readonly viewer: Viewer;
  readonly reporting: Reporting;
}

/** The command itself, with its picture where the bot may attach one. */
function workOf(
  asked: Asked,
  { person, viewer, reporting }: Asking,
  { context, now = Date.now, draw }: AnswerParts,
): () => Promise<Outcome> {
  const { destination, refresh, showsDistances, offer } = asked;
  const { t } = viewer;
  const run = async () => {
    if (refresh && viewer.settings.refresh === 'asker' && destination.to === 'private')
      throw new UserError(t('discord.notYourRefresh'));
    const reader = { t: showsDistances ? await viewer.inOwnUnit() : t, person, now: now() };
    return asked.run(contextFor(context, { ...reader, refresh }));
  };
  const mayAttach = allows(destination.interaction.raw.app_permissions, PermissionFlagsBits.AttachFiles);
  return () =>
    outcomeOf(run, reporting, {
      illustrate: async ({ chart }) => (mayAttach ? ((await draw?.(chart)) ?? null) : null),
      offer,
    });
}

/** What was filled in stays one press away, whatever the failure. */
function withAgain(outcome: Outcome, row: Row | null): Outcome {
  if (outcome.result === 'answered' || row === null) return outcome;
  return { ...outcome, reply: { ...outcome.reply, components: [row] } };
}

/** Commands that end when their time is up, or when the bot stops. `limit` in milliseconds. */
function createLimits(limit: number) {
  /** Each ends one running command with a reply. */
  const stops = new Set<() => void>();
  let stopping = false;

  return {
    /** The outcome of the work, or why it is not waited for any longer. */
    async limited(work: () => Promise<Outcome>, reporting: Reporting): Promise<Outcome> {
      const { t, log } = reporting;
      if (stopping) return failure(t('discord.stopping'), 'unavailable');
      const cut = Promise.withResolvers<Outcome>();
      const stop = (): void => cut.resolve(failure(t('discord.stopping'), 'unavailable'));
      const timer = setTimeout(() => {
        log.warn({ limit }, 'command timed out');
        cut.resolve(failure(withId(t('discord.late'), reporting), 'failed'));
      }, limit);
      stops.add(stop);
      try {
        return await Promise.race([work(), cut.promise]);
      } finally {
        clearTimeout(timer);
        stops.delete(stop);
      }
    },
    /** From now on, new commands are refused with a message. */
    refuseNew(): void {
      stopping = true;
    },
    /** Running commands are answered with "try again". */
    stopAll(): void {
      for (const stop of stops) stop();
    },
  };
}

async function notifyOthers(
  { reply: { notices = [] } }: Outcome,
  { interaction: { raw } }: Destination,
  notify: AnswerParts['notify'],
): Promise<void> {
  for (const notice of notices) await notify({ ...notice, kind: 'correction', nonce: raw.id });
}

/** Why the person's alerts were paused, said once after a command; null: there is nothing to say. */
async function pauseNotice(
  { id }: Person,
  { watches }: Pick<ContextParts, 'watches'>,
  t: Translator,
): Promise<Reply | null> {
  const why = await watches.takePauseNotice(id);
  return why === null ? null : pausedMessage(why, t);
}
