/** The roles that drivers earn: what people ask of them, and how they are given and taken. */
import { DAY, MINUTE, SECOND } from '../../src/base/duration.ts';
import { createJob } from '../../src/base/job.ts';
import type { Membership } from '../../src/discord/interaction.ts';
import { createGuildRoles } from '../../src/discord/send/guild-roles.ts';
import { type Core, defineFeature, type FeatureRuntime } from '../../src/features/feature.ts';
import type { InTransaction } from '../../src/messages/outbox/ledger.ts';
import { auditReason } from './cards/roles-card.ts';
import { createRoleLookUps } from './jobs/role-look-ups.ts';
import { createRoleRounds } from './jobs/role-rounds.ts';
import { createEvaluation, playedWithinMonth } from './models/evaluate.ts';
import { collected, createRoleFigures } from './models/figures.ts';
import { createGuildMembers } from './models/guild-members.ts';
import { createRoleRequests, type RoleRequests } from './models/role-requests.ts';
import { createRoleRules, roleCollections, rulesByGuild } from './models/role-rules.ts';
import { en } from './texts/en.ts';

declare module '../../src/command-kit/features.ts' {
  interface Features {
    readonly roles: RoleRequests;
  }
}

const ROUND_INTERVAL_MS = MINUTE;
/** How soon a member who has come back is looked at: many of them at once make one round. */
const REVISIT_WITHIN_MS = SECOND;

export const roles = defineFeature({
  texts: en,
  collections: [...roleCollections, collected],
  counted: { collection: rulesByGuild, one: 'role rule', many: 'role rules' },
  create: createRoles,
});

function createRoles(
  {
    store,
    connection,
    shards,
    guildDrivers: drivers,
    history,
    dataService,
    translatorFor,
    outbox,
  }: Core<'rest' | 'userId' | 'isThere' | 'isTimedOut' | 'mayInGuild' | 'ownerOf' | 'permissionsOf'>,
  { clock, log, resources, failed }: FeatureRuntime,
) {
  const rules = createRoleRules(store.documents);
  const figures = createRoleFigures(store.documents);
  const discord = createGuildRoles(connection.rest, connection.userId, log);
  const members = createGuildMembers(discord, clock);
  const played = playedWithinMonth(history, clock);
  const evaluate = createEvaluation({ rules, figures, drivers: drivers.in, played, clock });
  const rounds = createRoleRounds({
    rules,
    evaluate,
    members,
    discord,
    clock,
    drivers,
    figures,
    // In a guild that the bot has left, that an outage hides, or where it is in time-out, Discord refuses every request.
    holds: (guild) => shards.mayAct(guild) && connection.isThere(guild) && !connection.isTimedOut(guild),
    ownerOf: connection.ownerOf,
    permissionsOf: connection.permissionsOf,
    why: (rule) => auditReason(rule, translatorFor(rule.locale)),
    async paused(guild, { role, madeBy, locale }, why) {
      log.warn({ guild, role, why }, 'a rule for roles is paused');
      const t = translatorFor(locale);
      const content = t('roles.pausedNotice', { why: t(`roles.pausedWhy.${why}`) });
      const key = `${role} ${Math.floor(clock.now() / DAY)}`;
      const isWanted: InTransaction<boolean> = (transaction) =>
        rules.isMadeBy(transaction, guild, { role, madeBy });
      const to = { kind: 'direct', personId: madeBy } as const;
      if (madeBy !== '') await outbox.send({ kind: 'roles-notice', key, to, content, isWanted });
    },
  });
  const lookUps = createRoleLookUps({ rules, figures, drivers, clock });
  const requests = createRoleRequests({
    rules,
    evaluate,
    members,
    discord,
    rounds,
    mayManageRoles: (guild) => connection.mayInGuild(guild, 'ManageRoles'),
    changed() {
      rounds.interrupt();
      void round.now();
    },
  });
  const work = async (): Promise<void> => void ((await rounds.round()) && (await lookUps.refresh()));
  const round = createJob(clock, ROUND_INTERVAL_MS, work, failed);
  resources.defer(dataService.observations.listen(lookUps.observed, failed));
  // As alerts', by one process for all.
  const subjects = () => (shards.mayAct(null) ? lookUps.subjects() : []);
  resources.defer(dataService.lookUps.want(subjects, failed));

  return {
    requests,
    belongings: rules,
    observeMember({ guildId, personId, joinedAt: joined }: Membership): void {
      if (!members.observe(guildId, personId, joined)) return;
      rounds.revisit();
      round.runWithin(REVISIT_WITHIN_MS);
    },
    jobs: [round],
  };
}
