import { type ContextParts, contextFor, type Person } from '../app/context.ts';
import type { Viewer } from '../app/viewer.ts';
import { UserError } from '../errors.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import { personOf } from './args.ts';
import type { Asked } from './asked.ts';
import { type Destination, deliver } from './deliver.ts';
import type { Notice } from './direct-message.ts';
import { failure, type Outcome, outcomeOf } from './outcome.ts';

export interface AnswerParts {
  readonly context: ContextParts;
  /** Never rejects. */
  readonly viewerOf: (person: Person) => Promise<Viewer>;
  readonly log: Log;
  /** Sends a direct message. Never rejects. */
  readonly notify: (notice: Notice) => Promise<unknown>;
  /** Called for each bug, with the id shown to the person, the command, and the error's name. */
  readonly onBug?: (bug: { readonly id: string; readonly command: string; readonly kind: string }) => void;
  /** How long after its arrival a command is deferred in ms; well under Discord's three seconds. */
  readonly deferAfter?: number;
  /** After this time (ms) the person is told that it took too long. */
  readonly limit?: number;
}

const DEFER_AFTER = 400;
/** Longer than the service ever takes (a permit, one request, its retry), shorter than Discord's 15 minutes. */
const LIMIT = 60_000;

/** Runs a command within the time limits and sends exactly one reply. */
export function createAnswer(parts: AnswerParts) {
  const { context, viewerOf, notify, deferAfter = DEFER_AFTER, limit = LIMIT } = parts;
  const { limited, refuseNew, stopAll } = createLimits(limit);

  async function answer(asked: Asked, arrivedAt: number): Promise<void> {
    const { command, detail, destination } = asked;
    const log = parts.log.child({ command, ...detail });
    const person = personOf(destination.interaction);
    const viewer = await viewerOf(person);
    const { t } = viewer;
    const onBug = (id: string, error: unknown): void =>
      parts.onBug?.({ id, command, kind: error instanceof Error ? error.name : typeof error });

    const work = async () => {
      if (asked.refresh && viewer.settings.refresh === 'asker' && destination.to === 'private')
        throw new UserError(t('chat.notYourRefresh'));
      const reader = { t: asked.showsDistances ? await viewer.measured() : t, person, now: Date.now() };
      return asked.run(contextFor(context, { ...reader, refresh: asked.refresh }));
    };

    const outcome = limited(() => outcomeOf(work, { t, log, onBug, offer: asked.offer }), {
      t,
      late: () => log.warn({ limit }, 'command timed out'),
    });
    const left = Math.max(0, arrivedAt + deferAfter - performance.now());
    await deliver(destination, outcome, { deferAfter: left, t, log, onBug });
    await notifyOthers(await outcome, destination, notify);
    log.debug({ milliseconds: Math.round(performance.now() - arrivedAt) }, 'answered');
  }

  return { answer, refuseNew, stopAll };
}

/** Commands that end when their time is up, or when the bot stops. `limit` in milliseconds. */
function createLimits(limit: number) {
  /** Each ends one running command with a reply. */
  const stops = new Set<() => void>();
  let stopping = false;

  return {
    /** The outcome of the work, or why it is not waited for any longer. */
    async limited(
      work: () => Promise<Outcome>,
      { t, late }: { readonly t: Translator; readonly late: () => void },
    ): Promise<Outcome> {
      if (stopping) return failure(t('chat.stopping'));
      const cut = Promise.withResolvers<Outcome>();
      const stop = (): void => cut.resolve(failure(t('chat.stopping')));
      const timer = setTimeout(() => {
        late();
        cut.resolve(failure(t('chat.late')));
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
  { interaction: { id: nonce } }: Destination,
  notify: AnswerParts['notify'],
): Promise<void> {
  for (const notice of notices) await notify({ ...notice, channelId: null, nonce });
}
