import { provedText } from '../../commands/people/cards/proof-card.ts';
import { createOutage } from '../base/outage.ts';
import type { Runtime } from '../base/runtime.ts';
import { createCardEditor } from '../discord/send/edit-card.ts';
import type { Observation } from '../service/endpoints.ts';
import { escapeMarkdown } from '../text/names.ts';
import type { Bot } from './bot.ts';

/** Looks for codes in all names that the service sends, whoever asked for them, until the end. */
export function watchProofs(
  { repositories, connection, hidden, dataService, outbox, translatorFor }: Bot,
  { clock, log, resources }: Runtime,
): void {
  const edit = createCardEditor(connection.rest, log);

  // Live files come every few seconds, also while the store is away.
  const outage = createOutage(
    (error) => log.warn({ err: error }, 'proofs not read'),
    () => log.info('proofs are read again'),
  );

  async function observed({ kind, record }: Exclude<Observation, { kind: 'car' }>): Promise<void> {
    const drivers = kind === 'live' ? record.players : [record];
    const proved = await repositories.proofs.seen(drivers, clock.now());
    // The links are read again within a minute, and a person who lost a driver is notified even if the store fails now.
    if (proved.length > 0) await hidden.refresh().catch(outage.failed);
    const tellOf = async ({
      username,
      code,
      card,
      locale,
      loser,
    }: (typeof proved)[number]): Promise<void> => {
      const t = translatorFor(locale);
      const content = t('link.proof.lost', { player: escapeMarkdown(username) });
      const to = { kind: 'direct', personId: loser ?? '' } as const;
      // The notice is stored before Discord answers about the card: its reader may be forgotten meanwhile.
      await Promise.all([
        loser && outbox.send({ kind: 'proof-notice', key: code, to, content }),
        edit(card, provedText(t)),
      ]);
    };
    // Nobody waits until Discord has answered about somebody else.
    await Promise.all(proved.map(tellOf));
  }

  resources.defer(
    dataService.observations.listen((observation) => {
      if (observation.kind !== 'car') observed(observation).then(outage.worked, outage.failed);
    }, outage.failed),
  );
}
