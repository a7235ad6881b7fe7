import { randomUUID } from 'node:crypto';
import { PermissionFlagsBits } from 'discord.js';
import type { Clock } from '../../base/clock.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import { UserError } from '../../base/errors.ts';
import { waitForTurn } from '../../base/for-each-yielding.ts';
import type { Log } from '../../base/log.ts';
import type { ActionRow } from '../../cards/kit/card.ts';
import { type ContextParts, contextFor, type Person } from '../../command-kit/context.ts';
import type { Reply } from '../../command-kit/reply.ts';
import type { Viewer } from '../../command-kit/viewer.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Pictures } from '../../pictures/pictures.ts';
import { isPrivate } from '../interaction.ts';
import { deliverReply, sendNotice } from './deliver.ts';
import {
  explainFailure,
  failedOutcome,
  inWords,
  isMiss,
  type Outcome,
  type ReportTarget,
  type Result,
  withId,
} from './failure.ts';
import { type Destination, type ReplyRequest, UNKNOWN, type WindowRequest } from './request.ts';
import { addOwnParts, addShareButton, isShareable } from './share.ts';

/** One interaction that is over. */
export interface AnswerReport {
  readonly command: string;
  readonly outcome: Result;
  /** Milliseconds from its arrival until Discord had taken the first response; null where it took none. */
  readonly acknowledgedAfter: number | null;
}

export interface AnswerParts {
  readonly context: ContextParts;
  readonly clock: Clock;
  /** Never rejects. */
  readonly viewerOf: (person: Person) => Promise<Viewer>;
  readonly log: Log;
  readonly pictures?: Pick<Pictures, 'prepare' | 'draw'>;
  /** Tells a person that somebody has changed their link. `key`: identical for one change. Never rejects. */
  readonly notify: (personId: string, content: string, key: string) => Promise<unknown>;
  /** Messages that may follow any answer, one after the other; null: none. */
  readonly afterwards?: readonly ((person: Person, t: Translator) => Promise<Reply | null>)[];
  /** Called for each bug, with the id shown to the person, the command, and the error's name. */
  readonly onBug?: (bug: { readonly id: string; readonly command: string; readonly kind: string }) => void;
  readonly onAnswered?: ((answered: AnswerReport) => void) | undefined;
  /** How long after its arrival a command is deferred in ms; well under Discord's three seconds. */
  readonly deferAfter?: number;
  /** After this time (ms) the person is told that it took too long. */
  readonly limit?: number;
}

interface InteractionAsker {
  readonly person: Person;
  /** Never rejects. It may take as long as the store: what can be done without it does not wait. */
  readonly viewing: Promise<Viewer>;
  /** Monotonic time of the arrival, in ms. */
  readonly arrivedAt: number;
  /** How many interactions were being answered then. */
  readonly running: number;
  /** Another process may have answered it, as expected. */
  readonly isContested: boolean;
}

const DEFER_AFTER_MS = 300;
/** A first response that Discord has taken later than this leaves a line in the log. Discord waits for three seconds. */
const SLOW_MS = SECOND;
/** One deferral takes about so many ms: those that come together would otherwise be due together, and late. */
const DEFERRAL_MS = 1;
/** Longer than the service ever takes (a permit, one request, its retry), shorter than Discord's 15 minutes. */
const MAX_ANSWER_MS = MINUTE;

/** Limits for a picture that nobody has asked for: beyond them the person reads the text, and in a burst at once. */
const UNASKED_PICTURE_LIMITS = { waitMs: 1500, maxWaiting: 4 };

/** Runs a command within the time limits and sends exactly one reply. */
export function createAnswer(parts: AnswerParts) {
  const {
    context,
    clock,
    notify,
    afterwards = [],
    deferAfter = DEFER_AFTER_MS,
    limit = MAX_ANSWER_MS,
  } = parts;
  const { limited, refuseNew, stopAll } = createLimits(limit, clock);

  function report(answered: AnswerReport, log: Log): void {
    const { acknowledgedAfter } = answered;
    if (acknowledgedAfter !== null && acknowledgedAfter > SLOW_MS)
      log.warn({ milliseconds: Math.round(acknowledgedAfter) }, 'slow answer');
    parts.onAnswered?.(answered);
  }

  async function answer(
    request: ReplyRequest,
    { person, viewing, arrivedAt, running, isContested }: InteractionAsker,
  ): Promise<void> {
    const { name: command, detail, destination } = request;
    const id = randomUUID().slice(0, 8);
    const log = parts.log.child({ id, command, ...detail });
    const { interaction } = destination;
    const onBug = (error: unknown): void =>
      parts.onBug?.({ id, command, kind: error instanceof Error ? error.name : typeof error });
    const reporting = viewing.then(({ t }) => ({ id, t, log, clock, onBug }));
    const run = async (): Promise<Outcome> => {
      const viewer = await viewing;
      const { t } = viewer;
      const target = await reporting;
      await waitForTurn();
      const ownOutcome = await limited(workOf(request, { person, viewer, reporting: target }, parts), target);
      const isOwnAnswer = ownOutcome.result === 'answered' && isSeenByOne(destination, ownOutcome.reply);
      if (!isOwnAnswer) return offerAgain(ownOutcome, request.again?.(t) ?? null);
      const { reply } = ownOutcome;
      return {
        ...ownOutcome,
        reply: addOwnParts(isShareable(request, viewer) ? addShareButton(reply, t) : reply),
      };
    };
    const outcome = run();
    // Stored before Discord answers about the reply: a person may be forgotten meanwhile.
    const notified = outcome.then(({ reply: { notices = [] } }) =>
      Promise.all(notices.map(({ personId, content }) => notify(personId, content, interaction.id))),
    );
    const deferIn = Math.max(0, arrivedAt + deferAfter - running * DEFERRAL_MS - clock.monotonic());
    const delivery = { log, clock, reporting, isContested, deferAfter: deferIn };
    const { result, acknowledgedAt } = await deliverReply(destination, outcome, delivery);
    request.settled?.(result);
    const milliseconds = Math.round(clock.monotonic() - arrivedAt);
    // Interactions with no command of ours may come as often as somebody likes.
    log[command === UNKNOWN ? 'debug' : 'info']({ outcome: result, milliseconds }, 'interaction');
    const acknowledgedAfter = acknowledgedAt === null ? null : acknowledgedAt - arrivedAt;
    report({ command, outcome: result, acknowledgedAfter }, log);
    await notified;
    for (const say of afterwards)
      await sendNotice(interaction, async () => say(person, (await viewing).t), log);
  }

  /** Shows a window to fill in, or says privately why not. */
  async function open(opening: WindowRequest, asker: InteractionAsker): Promise<void> {
    const { name: command, interaction } = opening;
    const { person } = asker;
    const { t } = await asker.viewing;
    try {
      const window = await opening.window(
        contextFor(context, { t, person, now: clock.now(), sentAt: interaction.createdTimestamp }),
        clock,
      );
      if ('request' in window) return await answer(window.request, asker);
      if ('reply' in window) return await answerPrivately(opening, async () => window.reply, asker);
      await interaction.showModal(window);
      const acknowledgedAfter = clock.monotonic() - asker.arrivedAt;
      report({ command, outcome: 'answered', acknowledgedAfter }, parts.log.child({ command }));
    } catch (error) {
      await answerPrivately(opening, () => Promise.reject(error), asker);
    }
  }

  /** Replies in place of the window. */
  function answerPrivately(
    { name, interaction }: WindowRequest,
    run: () => Promise<Reply>,
    asker: InteractionAsker,
  ): Promise<void> {
    const destination = { to: 'private', interaction } as const;
    return answer({ kind: 'reply', name, command: undefined, destination, run }, asker);
  }

  return { answer, open, refuseNew, stopAll };
}

/** The command itself, with its picture if the bot may attach one. */
function workOf(
  request: ReplyRequest,
  asker: { readonly person: Person; readonly viewer: Viewer; readonly reporting: ReportTarget },
  { context, clock, pictures }: AnswerParts,
): () => Promise<Outcome> {
  const { person, viewer, reporting } = asker;
  const { command, destination, refresh = false } = request;
  const { t } = viewer;
  const { appPermissions } = destination.interaction;
  const drawing = appPermissions.has(PermissionFlagsBits.AttachFiles) ? pictures : undefined;
  const run = async () => {
    if (refresh && viewer.settings.refresh === 'asker' && destination.to === 'private')
      throw new UserError(t('discord.notYourRefresh'));
    const reader = { t: command?.showsDistances ? await viewer.inOwnUnit() : t, person };
    const times = { now: clock.now(), sentAt: destination.interaction.createdTimestamp };
    const expectPicture = drawing?.prepare ?? (() => {});
    return request.run(contextFor(context, { ...reader, ...times, refresh, expectPicture }));
  };
  return async () => {
    try {
      const reply = await run();
      const answered = { reply, png: null, result: 'answered' } as const;
      if (reply.picture === undefined) return answered;
      const { chart, isUnasked = false } = reply.picture;
      const png =
        drawing === undefined ? 'never' : await drawing.draw(chart, isUnasked ? UNASKED_PICTURE_LIMITS : {});
      return png instanceof Uint8Array ? { ...answered, png } : inWords(answered, png ?? 'late', t);
    } catch (error) {
      const outcome = explainFailure(error, reporting);
      const offer = isMiss(error) ? (request.offer?.() ?? null) : null;
      if (offer === null) return outcome;
      const content = `${outcome.reply.content}\n${offer.question}`;
      return { ...outcome, reply: { content, components: [offer.row] } };
    }
  };
}

/** Only the person reads the answer. */
function isSeenByOne(destination: Destination, { ephemeral }: Reply): boolean {
  const isInPrivate = destination.to === 'in-place' && isPrivate(destination.interaction.message);
  return destination.to === 'private' || ephemeral === true || isInPrivate;
}

/** The filled-in form stays one press away, whatever the failure, below what else the failure offers. */
function offerAgain(outcome: Outcome, row: ActionRow | null): Outcome {
  if (outcome.result === 'answered' || row === null) return outcome;
  return { ...outcome, reply: { ...outcome.reply, components: [...(outcome.reply.components ?? []), row] } };
}

/** Commands that end when their time is up, or when the bot stops. `limit` in milliseconds. */
function createLimits(limit: number, clock: Pick<Clock, 'after'>) {
  /** Each ends one running command with a reply. */
  const stops = new Set<() => void>();
  let stopping = false;

  return {
    /** The outcome of the work, or why it is not waited for any longer. */
    async limited(work: () => Promise<Outcome>, reporting: ReportTarget): Promise<Outcome> {
      const { t, log } = reporting;
      if (stopping) return failedOutcome(t('discord.stopping'), 'unavailable');
      const cut = Promise.withResolvers<Outcome>();
      const stop = (): void => cut.resolve(failedOutcome(t('discord.stopping'), 'unavailable'));
      const cancel = clock.after(limit, () => {
        log.warn({ limit }, 'command timed out');
        cut.resolve(failedOutcome(withId(t('discord.late'), reporting), 'failed'));
      });
      stops.add(stop);
      try {
        return await Promise.race([work(), cut.promise]);
      } finally {
        cancel();
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
