/** Which profiles the rules want to know, and what those say that are read anyway. */
import type { Clock } from '../base/clock.ts';
import { DAY } from '../base/duration.ts';
import type { GuildDriver } from '../people/guild-drivers.ts';
import type { Observation } from '../service/endpoints.ts';
import type { Subject } from '../service/look-ups.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Rule } from '../service/models/rule.ts';
import { figuresIn, type RoleFigures } from './figures.ts';
import type { RoleRules } from './role-rules.ts';

export interface RoleLookUps {
  /** Reads again who is wanted. Rejects where the store fails. */
  refresh(): Promise<void>;
  /** The drivers of members who may earn a role by a figure: each once a day. */
  subjects(): readonly Subject[];
  /** `asOf`: when it was true, in unix milliseconds. Rejects where the store fails. */
  observed(observation: Observation, asOf: number): Promise<void>;
}

const EVERY = DAY;

export function createRoleLookUps({
  rules,
  figures,
  drivers,
  clock,
}: {
  readonly rules: RoleRules;
  readonly figures: RoleFigures;
  readonly drivers: (guild: string) => Promise<ReadonlyMap<string, GuildDriver>>;
  readonly clock: Pick<Clock, 'now'>;
}): RoleLookUps {
  /** By driver. */
  let subjects = new Map<string, Subject>();
  /** By driver: whose they are. */
  let persons: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  return {
    async refresh() {
      const known = await figures.known();
      const found = new Map<string, Set<string>>();
      const wanted = new Map<string, Subject>();
      for (const [guild, here] of await rules.all()) {
        const all = here.some(needsProfile) ? await drivers(guild) : new Map<string, GuildDriver>();
        for (const rule of here.filter(needsProfile))
          for (const person of Object.keys(await rules.holders(guild, rule.role))) {
            const driver = all.get(person);
            if (driver === undefined || driver.isHidden || !(driver.proved || rule.linked)) continue;
            const name = sameSpelling(driver.username);
            found.set(name, (found.get(name) ?? new Set()).add(person));
            const knownAt = known(person, driver.username, clock.now())?.asOf ?? null;
            wanted.set(name, {
              kind: 'profile',
              name: driver.username,
              every: EVERY,
              isUrgent: false,
              knownAt,
            });
          }
      }
      persons = found;
      subjects = wanted;
    },
    subjects: () => [...subjects.values()],
    async observed({ kind, record }, asOf) {
      if (kind !== 'profile') return;
      const name = sameSpelling(record.username);
      const subject = subjects.get(name);
      // At once: the next one is chosen long before all are read again.
      if (subject !== undefined && asOf > (subject.knownAt ?? 0))
        subjects.set(name, { ...subject, knownAt: asOf });
      const theirs = persons.get(name) ?? [];
      for (const person of theirs) await figures.save(person, figuresIn(record, asOf));
    },
  };
}

function needsProfile({ when: { kind } }: Rule): boolean {
  return kind === 'hours' || kind === 'km' || kind === 'police-xp' || kind === 'licence';
}
