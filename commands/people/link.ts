import { UserError } from '../../src/base/errors.ts';
import { buttonRow } from '../../src/cards/kit/card.ts';
import { proveButton } from '../../src/cards/kit/link-buttons.ts';
import { onPress, onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import { type Context, requireGuild } from '../../src/command-kit/context.ts';
import { currentFiles } from '../../src/command-kit/current-data.ts';
import { forDriver } from '../../src/command-kit/for-driver.ts';
import { linkForm, linkOwn } from '../../src/command-kit/link-driver.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { profile } from '../../src/service/endpoints.ts';
import { sameSpelling, Username } from '../../src/service/models/identifiers.ts';
import { LiveServer } from '../../src/service/models/live-status.ts';
import { escapeMarkdown } from '../../src/text/names.ts';
import { type ProofCheck, proofCard, provedText, tooManyText } from './cards/proof-card.ts';

export default defineCommand({
  description: 'link.description',
  topic: 'yours',
  leads: true,
  example: ['player'],
  visibility: 'private',
  options: {
    player: playerOption('link.options.player', true),
    user: { kind: 'member', description: 'link.options.user', required: false },
  },

  async run({ player: typed, user }, context) {
    const { service, person, t } = context;
    const personId = user ?? person.id;
    if (personId !== person.id && !person.mayManage) throw new UserError(t('discord.notAllowed'));
    return forDriver(typed, context, async (player) => {
      // Uses the game's spelling, and ensures that the driver exists.
      const { record } = await service.get(profile, { username: player });
      return personId === person.id
        ? (await linkOwn(record.username, context)).reply
        : correct(personId, record.username, context);
    });
  },

  form: linkForm(null),

  // For another member, the button would have to name them too.
  retryAction: ({ player, user }) => (user === null ? { action: 'own', subject: player } : null),

  actions: {
    prove: onSubject(Username, begin),
    check: onSubject(Username, check),
    cancel: onPress(async ({ store, person, t }) => {
      await store.proofs.cancel(person.id);
      return { content: t('link.proof.cancelled'), components: [] };
    }),
    own: onSubject(Username, async (player, context) => {
      const { record } = await context.service.get(profile, { username: player });
      return (await linkOwn(record.username, context)).reply;
    }),
  },
});

async function begin(username: string, { store, person, t, now }: Context): Promise<Reply> {
  const request = { username, card: person.card ?? '', locale: t.locale };
  const proof = await store.proofs.begin(person.id, request, now);
  if (typeof proof === 'number') throw new UserError(tooManyText(proof - now, t));
  return proofCard(proof, null, t);
}

/** Reads at once what is otherwise read within seconds. */
async function check(username: string, context: Context): Promise<Reply> {
  const { store, person, t, now } = context;
  const proof = await store.proofs.running(person.id, now);
  const lastCheck = proof === null ? null : await look(proof.username, context);
  await store.proofs.settled();
  const running = await store.proofs.running(person.id, now);
  if (running !== null) return proofCard(running, lastCheck, t);
  const link = await store.links.of(person.id);
  const isProved =
    link !== null && link.proved !== null && sameSpelling(link.username) === sameSpelling(username);
  if (isProved) return provedText(t);
  return { content: t('link.proof.over'), components: [buttonRow(proveButton(username, t))] };
}

/** Reads the live files, whose names are also searched for codes (see `watchProofs`). Looks the driver up only if no live file names any driver. */
async function look(username: string, context: Context): Promise<ProofCheck> {
  const files = await currentFiles(LiveServer.options, context);
  const drivers = files.flatMap(({ players }) => players.filter((driver) => driver.username !== null));
  if (drivers.length > 0) {
    const ownDriver = drivers.find(
      (driver) => sameSpelling(driver.username ?? '') === sameSpelling(username),
    );
    return ownDriver === undefined
      ? { kind: 'absent' }
      : { kind: 'called', nickname: ownDriver.nickname, answer: null };
  }
  if (!(await context.store.proofs.look(context.person.id))) return { kind: 'no-looks' };
  const answer = await context.service.get(profile, { username }, { maxAge: 0 });
  return { kind: 'called', nickname: answer.record.nickname, answer };
}

/** Counts in this guild only, as does the permission to manage it. */
async function correct(linkedId: string, username: string, context: Context): Promise<Reply> {
  const { store, person, t, now: since } = context;
  const changed = await store.links.correct(linkedId, { guild: requireGuild(context), username, since });
  const player = escapeMarkdown(username);
  const administrator = `<@${person.id}>`;
  return {
    content: t('link.corrected', { player, person: `<@${linkedId}>` }),
    notices: changed
      .filter((personId) => personId !== person.id)
      .map((personId) => ({
        personId,
        content:
          personId === linkedId
            ? t('link.notifiedSet', { player, administrator })
            : // Who has it now is read only by members of that server.
              t('link.notifiedLost', { player, administrator }),
      })),
  };
}
