import type { Interaction } from 'discord.js';
import { resolveWithin } from '../../base/clock.ts';
import { waitForTurn } from '../../base/for-each-yielding.ts';
import type { Translator } from '../../i18n/translator.ts';
import { personOf } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { type AnswerParts, createAnswer } from './answer.ts';
import { createAutocomplete } from './autocomplete.ts';
import { createReader } from './read.ts';

/** Time for the last replies of a process that ends, in ms. */
const LAST_REPLIES_MS = 1000;

/** Routes interactions by kind, and tracks those being answered. */
export function createDispatch(
  parts: AnswerParts & {
    readonly commands: Commands;
    readonly translatorFor: (locale: string) => Translator;
    /** No other process answers the interaction with this id, and Discord still takes an answer. */
    readonly mayAnswer: (id: string) => Promise<boolean>;
    /** Another process may answer what arrives now, as expected. */
    readonly isContested?: () => boolean;
  },
) {
  const { translatorFor, log, clock, mayAnswer, isContested = () => false, viewerOf } = parts;
  const { answer, open, refuseNew, stopAll } = createAnswer(parts);
  const complete = createAutocomplete(parts);
  const read = createReader({ ...parts, english: translatorFor('en') });
  /** Answers under way by interaction id. */
  const running = new Map<string, Promise<void>>();

  async function route(interaction: Interaction, arrivedAt: number): Promise<void> {
    const { id } = interaction;
    const arrival = { arrivedAt, running: running.size, isContested: isContested() };
    // Many may come in one message of the socket: the first are acknowledged before the last are read.
    await waitForTurn();
    if (!(await mayAnswer(id)))
      return log.debug({ interaction: id }, 'interaction dropped: late, or another process has it');
    const person = personOf(interaction);
    const asker = { ...arrival, person, viewing: viewerOf(person) };
    const request = read(interaction);
    if (request === null) log.warn({ type: interaction.type }, 'unknown kind of interaction');
    else if (request.kind === 'window') await open(request, asker);
    else if (request.kind === 'suggestions') await complete(request.interaction, asker.viewing);
    else await answer(request, asker);
  }

  return {
    /** Answers an interaction, which came at `arrivedAt` by the monotonic clock; one that comes twice, once. Never throws. */
    handle(interaction: Interaction, arrivedAt = clock.monotonic()): void {
      const { id } = interaction;
      if (running.has(id)) return;
      const handled = route(interaction, arrivedAt)
        .catch((error: unknown) => log.warn({ err: error }, 'interaction not answered'))
        .finally(() => running.delete(id));
      running.set(id, handled);
    },
    /**
     * Starts nothing new from now on. Resolves when running commands have been answered; after `timeoutMs`, the
     * rest are answered with "try again".
     */
    async drain(timeoutMs: number): Promise<void> {
      refuseNew();
      await resolveWithin(Promise.all(running.values()), timeoutMs, clock);
      stopAll();
      await resolveWithin(Promise.all(running.values()), LAST_REPLIES_MS, clock);
    },
  };
}
