/** The profiles that the rules want to know, and what is kept of all that are read. */

import type { Clock } from '../../../src/base/clock.ts';
import { DAY } from '../../../src/base/duration.ts';
import { forEachInSlices } from '../../../src/base/for-each-yielding.ts';
import type { createGuildDrivers, GuildDriver } from '../../../src/community/accounts/guild-drivers.ts';
import type { Observation } from '../../../src/service/endpoints.ts';
import { keyOf, type Subject } from '../../../src/service/look-ups.ts';
import { type createRoleFigures, figuresIn } from '../models/figures.ts';
import type { RoleRules } from '../models/role-rules.ts';
import type { Rule } from '../models/rule.ts';

export function createRoleLookUps({
  rules,
  figures,
  drivers,
  clock,
}: {
  readonly rules: RoleRules;
  readonly figures: ReturnType<typeof createRoleFigures>;
  readonly drivers: Pick<ReturnType<typeof createGuildDrivers>, 'in' | 'owners'>;
  readonly clock: Pick<Clock, 'now'>;
}) {
  let subjects: readonly Subject[] = [];

  return {
    /** Reads again who is wanted. Rejects where the store fails. */
    async refresh() {
      const knownFigures = await figures.known();
      const subjectsByKey = new Map<string, Subject>();
      await forEachInSlices(await rules.all(), async ([guild, here]) => {
        const all = here.some(needsProfile) ? await drivers.in(guild) : new Map<string, GuildDriver>();
        for (const rule of here.filter(needsProfile))
          await forEachInSlices(Object.keys(await rules.holders(guild, rule.role)), (person) => {
            const driver = all.get(person);
            if (driver === undefined || driver.isHidden || !(driver.proved || rule.linked)) return;
            const { username: name } = driver;
            const knownAt = knownFigures(person, name, clock.now())?.asOf ?? null;
            const subject = { kind: 'profile', name, every: DAY, isUrgent: false, knownAt } as const;
            subjectsByKey.set(keyOf('profile', name), subject);
          });
      });
      subjects = [...subjectsByKey.values()];
    },
    /** The drivers of members who may earn a role by a figure: each once a day. */
    subjects: () => subjects,
    /**
     * Keeps the figures of whoever has that driver, so that a preview knows them before there is a rule. `asOf`: when it was
     * true, in unix milliseconds. Rejects where the store fails.
     */
    async observed({ kind, record }: Observation, asOf: number) {
      if (kind !== 'profile') return;
      for (const person of await drivers.owners(record.username))
        await figures.save(person, figuresIn(record, asOf));
    },
  };
}

function needsProfile({ when: { kind } }: Rule): boolean {
  return kind === 'hours' || kind === 'km' || kind === 'police-xp' || kind === 'licence';
}
