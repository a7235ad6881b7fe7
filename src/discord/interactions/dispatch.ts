import type { Claims } from '../../base/claims.ts';
import { within } from '../../base/clock.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Cluster } from '../../shards/cluster.ts';
import type { Interaction } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { type AnswerParts, createAnswer } from './answer.ts';
import { createAutocomplete } from './autocomplete.ts';
import { createReader } from './read.ts';

/** Time for the last replies of a process that ends, in ms. */
const LAST_REPLIES = 1000;

/** Routes interactions by kind, and tracks those being answered. */
export function createDispatch(
  parts: AnswerParts & {
    readonly commands: Commands;
    readonly translatorFor: (locale: string) => Translator;
    /** Of views that are shared. */
    readonly claims: Claims;
    /** Of interactions that another process may receive, too. */
    readonly cluster: Pick<Cluster, 'claim' | 'answeredElsewhere'>;
  },
) {
  const { translatorFor, log, clock, cluster, viewerOf } = parts;
  const { answer, open, refuseNew, stopAll } = createAnswer(parts);
  const complete = createAutocomplete(parts);
  const read = createReader({ ...parts, english: translatorFor('en') });
  /** By the interaction's id. */
  const running = new Map<string, Promise<void>>();
  let stopping = false;

  async function route(interaction: Interaction, arrivedAt: number): Promise<void> {
    // The store is asked both at once: it may be far away, and Discord waits for three seconds.
    const asker = { viewing: viewerOf(interaction.person), arrivedAt, ahead: running.size };
    const { id, guild_id: guildId = null } = interaction.raw;
    if (!(await cluster.claim(id, guildId, stopping))) return;
    const wanted = read(interaction);
    if (wanted === null) log.warn({ type: interaction.raw.type }, 'unknown kind of interaction');
    else if (wanted.kind === 'window') await open(wanted, asker);
    else if (wanted.kind === 'suggestions') await complete(wanted.interaction, asker.viewing);
    else await answer(wanted, asker);
    if (interaction.answered === 'elsewhere') cluster.answeredElsewhere();
  }

  return {
    /** Answers an interaction, which came at `arrivedAt` by the monotonic clock; one that comes twice, once. Never throws. */
    handle(interaction: Interaction, arrivedAt = clock.monotonic()): void {
      const { id } = interaction.raw;
      if (running.has(id)) return;
      const handled = route(interaction, arrivedAt)
        .catch((error: unknown) => log.warn({ err: error }, 'interaction not answered'))
        .finally(() => running.delete(id));
      running.set(id, handled);
    },
    /**
     * Starts nothing new from now on. Resolves when running commands have been answered; after `patience` ms, the
     * rest are answered with "try again".
     */
    async drain(patience: number): Promise<void> {
      stopping = true;
      refuseNew();
      await within(Promise.all(running.values()), patience, clock);
      stopAll();
      await within(Promise.all(running.values()), LAST_REPLIES, clock);
    },
  };
}
