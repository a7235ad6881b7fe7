import type { Claims } from '../../base/claims.ts';
import { sleep, within } from '../../base/clock.ts';
import { MINUTE } from '../../base/duration.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Interaction } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { type AnswerParts, createAnswer } from './answer.ts';
import { createAutocomplete } from './autocomplete.ts';
import { createReader } from './read.ts';

interface DispatchParts extends AnswerParts {
  readonly commands: Commands;
  readonly translatorFor: (locale: string) => Translator;
  /** May reject: then two processes may answer an interaction, and Discord accepts one, which is better than none. */
  readonly claims: Claims;
  /** Whether no other process receives the interactions of that guild, too; null: direct messages. Absent: it never does. */
  readonly isAlone?: ((guildId: string | null) => boolean) | undefined;
}

export interface Dispatch {
  /** Answers an interaction, which came at `arrivedAt` by the monotonic clock; one that comes twice, once. Never throws. */
  handle(interaction: Interaction, arrivedAt?: number): void;
  /**
   * Starts nothing new from now on. Resolves when running commands have been answered; after `patience` ms, the
   * rest are answered with "try again".
   */
  drain(patience: number): Promise<void>;
}

/** Time for those last replies, in ms. */
const LAST_REPLIES = 1000;
/** How long a stopping process leaves an interaction to another one, in ms. */
const COURTESY = 200;
/**
 * And one that cannot claim it, where another has answered already: long enough for that one to acknowledge, well below
 * Discord's three seconds.
 */
const ASIDE = 1000;
/** After this time (ms) Discord accepts no answer any more. */
const LIVES = 15 * MINUTE;

/** Routes interactions by kind, and tracks those being answered. */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { translatorFor, log, clock, claims, isAlone = () => true, viewerOf } = parts;
  const { answer, open, refuseNew, stopAll } = createAnswer(parts);
  const complete = createAutocomplete(parts);
  const read = createReader({ ...parts, english: translatorFor('en') });
  /** By the interaction's id. */
  const running = new Map<string, Promise<void>>();
  let stopping = false;
  /** The store is away for this process, and another one answers what it receives. */
  let isAside = false;

  async function isTaken({ raw: { id, guild_id } }: Interaction): Promise<boolean> {
    if (isAlone(guild_id ?? null)) return false;
    // A process that is not stopping goes first.
    if (stopping) await sleep(clock, COURTESY);
    try {
      const isClaimed = await claims.claim(`interaction:${id}`, LIVES);
      isAside = false;
      return !isClaimed;
    } catch {
      if (isAside) await sleep(clock, ASIDE);
      return false;
    }
  }

  async function route(interaction: Interaction, arrivedAt: number): Promise<void> {
    // The store is asked both at once: it may be far away, and Discord waits for three seconds.
    const asker = { viewing: viewerOf(interaction.person), arrivedAt, ahead: running.size };
    if (await isTaken(interaction)) return;
    const wanted = read(interaction);
    if (wanted === null) log.warn({ type: interaction.raw.type }, 'unknown kind of interaction');
    else if (wanted.kind === 'opening') await open(wanted, asker);
    else if (wanted.kind === 'completion') await complete(wanted.interaction, asker.viewing);
    else await answer(wanted, asker);
    if (interaction.answered === 'elsewhere') isAside = true;
  }

  return {
    handle(interaction, arrivedAt = clock.monotonic()) {
      const { id } = interaction.raw;
      if (running.has(id)) return;
      const handled = route(interaction, arrivedAt)
        .catch((error: unknown) => log.warn({ err: error }, 'interaction not answered'))
        .finally(() => running.delete(id));
      running.set(id, handled);
    },
    async drain(patience) {
      stopping = true;
      refuseNew();
      await within(Promise.all(running.values()), patience, clock);
      stopAll();
      await within(Promise.all(running.values()), LAST_REPLIES, clock);
    },
  };
}
