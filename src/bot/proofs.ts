import type { Runtime } from '../base/runtime.ts';
import { provedText } from '../cards/about/proof-card.ts';
import { named } from '../cards/kit/lines.ts';
import { createCardEditor } from '../discord/edit-card.ts';
import type { Observation } from '../service/endpoints.ts';
import type { Bot } from './bot.ts';

/** Looks for codes in all names that the service sends, whoever asked for them, until the end. */
export function watchProofs(
  { states, connection, hidden, dataService, notify, translatorFor }: Bot,
  { clock, log, resources }: Runtime,
): void {
  const edit = createCardEditor(connection.rest, log);

  async function observed({ kind, record }: Observation): Promise<void> {
    if (kind === 'car') return;
    const drivers = kind === 'live' ? record.players : [record];
    for (const { username, code, card, locale, loser } of await states.proofs.seen(drivers, clock.now())) {
      await hidden.refresh();
      const t = translatorFor(locale);
      await edit(card, provedText(t));
      const content = t('link.proof.lost', { player: named(username) });
      if (loser !== null) await notify({ personId: loser, kind: 'proof', content, nonce: code });
    }
  }

  const failed = (error: unknown): void => log.warn({ err: error }, 'proofs not read');
  resources.defer(dataService.observations.listen((observation) => void observed(observation).catch(failed)));
}
