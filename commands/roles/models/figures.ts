/** Figures in the profiles of drivers who may earn a role, kept because a look-up is rare. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { HOUR, SECOND } from '../../../src/base/duration.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import { sameSpelling, Username } from '../../../src/service/models/identifiers.ts';
import { byState } from '../../../src/service/models/licence.ts';
import type { Profile } from '../../../src/service/models/profile.ts';
import { changeDocuments } from '../../../src/store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
} from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';

/** Valid licences of one driver that are kept, and characters of a type. */
const MAX_LICENCES = 50;
const MAX_TYPE_LENGTH = 64;

const ProfileFigures = z.object({
  driver: Username,
  /** When they were true, in unix milliseconds. */
  asOf: z.number(),
  /** Null where the profile does not say. */
  hours: z.number().nullable(),
  km: z.number().nullable(),
  policeXp: z.number().nullable(),
  /**
   * The valid ones; `until` in unix milliseconds, null for one that does not end. `isUnclear`: whether it is valid is not
   * known.
   */
  licences: z
    .array(
      z.object({
        type: z.string().max(MAX_TYPE_LENGTH),
        until: z.number().nullable(),
        isUnclear: z.literal(true).optional(),
      }),
    )
    .max(MAX_LICENCES)
    .nullable(),
  /** The driver may hold others, which cannot be read. */
  hasUnreadableLicences: z.literal(true).optional(),
});
export type ProfileFigures = z.output<typeof ProfileFigures>;

/** By person. */
export const collected = declareCollection({
  name: 'role-figures',
  schema: ProfileFigures,
  unreadable: 'none',
  person: {
    forget: (figures, personId, key) => (key === personId ? null : figures),
    export: [
      personalExport({
        name: 'figures',
        read: (documents, personId): Promise<ProfileFigures | null> =>
          readDocument(documents, collected, personId),
        lines: ({ driver, asOf }, t) => [
          t('roles.stored.figures', {
            player: escapeMarkdown(driver),
            ago: formatMoment(asOf, 'relative', t),
          }),
        ],
        question: (t) => t('roles.stored.question'),
      }),
    ],
  },
});

/** Beyond it they say nothing about today. */
const MAX_AGE_MS = 72 * HOUR;
/** A reading that says the same is not worth a write within it; an older one is none, but after a clock was set back. */
const REWRITE_AFTER_MS = HOUR;

export function createRoleFigures(documents: Documents) {
  return {
    /** Figures of that person while they had that driver, if young enough. The same function until one of them changes. */
    known: deriveFromCollection(
      documents,
      collected,
      (all) => (personId: string, driver: string, now: number) => {
        const figures = all.get(personId) ?? null;
        const isTheirs = figures !== null && sameSpelling(figures.driver) === sameSpelling(driver);
        return isTheirs && now - figures.asOf < MAX_AGE_MS ? figures : null;
      },
    ),
    save: (personId: string, figures: ProfileFigures) =>
      changeDocuments(documents, async (transaction) => {
        const previousFigures = await transaction.read(collected, personId);
        const saysNothing =
          previousFigures !== null &&
          sameSpelling(previousFigures.driver) === sameSpelling(figures.driver) &&
          Math.abs(figures.asOf - previousFigures.asOf) < REWRITE_AFTER_MS &&
          (figures.asOf < previousFigures.asOf ||
            isDeepStrictEqual({ ...figures, asOf: previousFigures.asOf }, previousFigures));
        if (!saysNothing) transaction.write(collected, personId, figures);
      }),
  };
}

/** Reads the stats of a profile that was true at `asOf` (unix milliseconds). */
export function figuresIn(
  { username, stats, licences, licencesAreWhole }: Profile,
  asOf: number,
): ProfileFigures {
  const knownStats = stats?.known ?? {};
  const isPartial =
    licencesAreWhole === false || licences?.some(({ hasUnreadableType }) => hasUnreadableType);
  return {
    driver: username,
    asOf,
    hours: scaled(knownStats.gaming_time_total, HOUR / SECOND),
    km: scaled(knownStats.driven_distance, 1000),
    policeXp: knownStats.cop_xp ?? null,
    licences: licences === null ? null : validOnes(licences, asOf),
    ...(isPartial === true ? { hasUnreadableLicences: true } : {}),
  };
}

function scaled(value: number | undefined, unit: number): number | null {
  // Nobody has driven less than nothing.
  return value === undefined || value < 0 ? null : value / unit;
}

function validOnes(licences: NonNullable<Profile['licences']>, asOf: number): ProfileFigures['licences'] {
  const valid = byState(licences, asOf)
    .filter(({ state }) => state === 'valid' || state === 'soon' || state === 'unknown')
    .flatMap(({ state, licence: { type, name, validUntil: until } }) => {
      const typeName = (type ?? name)?.slice(0, MAX_TYPE_LENGTH);
      if (typeName === undefined) return [];
      return state === 'unknown'
        ? [{ type: typeName, until, isUnclear: true as const }]
        : [{ type: typeName, until }];
    });
  // An incomplete list does not show which licences are missing.
  return valid.length > MAX_LICENCES ? null : valid;
}
