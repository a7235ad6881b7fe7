/** The roles that drivers earn: made with the bot, and at work once it runs. */
import { DAY, MINUTE, SECOND } from '../base/duration.ts';
import { every } from '../base/every.ts';
import type { Runtime } from '../base/runtime.ts';
import { auditReason } from '../cards/roles/rule-text.ts';
import { createGuildRoles } from '../discord/send/guild-roles.ts';
import { createEvaluation, playedWithinMonth } from '../roles/evaluate.ts';
import { createRoleFigures } from '../roles/figures.ts';
import { createGuildMembers } from '../roles/guild-members.ts';
import { createRoleLookUps } from '../roles/role-look-ups.ts';
import { createRoleRequests } from '../roles/role-requests.ts';
import { createRoleRounds } from '../roles/role-rounds.ts';
import type { Bot, Parts } from './bot.ts';

/** In ms. */
const ROUND_EVERY = MINUTE;
/** How soon a member who has come back is looked at: many of them at once make one round. */
const REVISIT_WITHIN_MS = SECOND;

export function createRoles(
  {
    store,
    states,
    connection,
    shards,
    guildDrivers: drivers,
    history,
    dataService,
    translatorFor,
    notify,
  }: Parts,
  { clock, log, resources }: Runtime,
): Bot['roles'] {
  const { roleRules: rules } = states;
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
    // Of one that it has left, that an outage hides, or where it is in time-out, Discord would answer nothing but refusals.
    holds: (guild) => shards.holds(guild) && connection.isThere(guild) && !connection.isTimedOut(guild),
    stayedSince: connection.stayedSince,
    ownerOf: connection.ownerOf,
    permissionsOf: connection.permissionsOf,
    why: (rule) => auditReason(rule, translatorFor(rule.locale)),
    async paused(guild, { role, madeBy, locale }, why) {
      log.warn({ guild, role, why }, 'a rule for roles is paused');
      const t = translatorFor(locale);
      const content = t('roles.pausedNotice', { why: t(`roles.pausedWhy.${why}`) });
      const key = `${role} ${Math.floor(clock.now() / DAY)}`;
      if (madeBy !== '') await notify({ personId: madeBy, kind: 'roles', content, key });
    },
  });
  const lookUps = createRoleLookUps({ rules, figures, drivers, clock });
  const failed = (error: unknown): void => log.error({ err: error }, 'roles failed');
  let soon = (): void => {};
  let revisitSoon = (): void => {};
  const requests = createRoleRequests({
    rules,
    evaluate,
    members,
    discord,
    rounds,
    mayManageRoles: (guild) => connection.mayInGuild(guild, 'ManageRoles'),
    changed: () => soon(),
  });

  return {
    requests,
    observeMember({ guildId, personId, joined }): void {
      if (!members.observe(guildId, personId, joined)) return;
      rounds.revisit();
      revisitSoon();
    },
    start(): void {
      const round = async (): Promise<void> => {
        if (await rounds.round()) await lookUps.refresh();
      };
      const working = every(clock, ROUND_EVERY, round, failed);
      soon = () => {
        rounds.interrupt();
        void working.now();
      };
      revisitSoon = () => working.within(REVISIT_WITHIN_MS);
      resources.defer(working.stop);
      resources.defer(
        dataService.observations.listen(
          (observation, asOf) => void lookUps.observed(observation, asOf).catch(failed),
        ),
      );
      // As alerts', by one process for all.
      resources.defer(dataService.lookUps.want(() => (shards.holds(null) ? lookUps.subjects() : [])));
      connection.onGuildLeft((guild) => void rules.removeIn(guild).catch(failed));
      void working.now();
    },
  };
}
