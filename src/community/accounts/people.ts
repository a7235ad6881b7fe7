import { z } from 'zod';
import { TimeZone } from '../../base/zone.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import { Username } from '../../service/models/identifiers.ts';
import type { Transaction } from '../../store/change.ts';
import { declareCollection, personalExport, readDocument } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import { escapeMarkdown } from '../../text/names.ts';

/** A field that cannot be read counts as null, and takes no other one with it. */
function orNull<Field>(schema: z.ZodType<Field>) {
  return schema.nullable().catch(null);
}

/** A person's privacy settings for the driver whom they have linked. */
export interface PrivacySettings {
  /** The driver is in no list and no history. */
  readonly hidden: boolean;
  /** Nobody else gets alerts about the driver. */
  readonly unwatched: boolean;
  /** Shows the number of convoys that the person attended. */
  readonly convoysShown?: boolean | undefined;
}

const PersonRecord = z.object({
  link: orNull(
    z.object({
      username: Username,
      since: z.number(),
      hidden: z.boolean().catch(false),
      unwatched: z.boolean().catch(false),
      convoysShown: z.boolean().optional().catch(undefined),
      /** When the person has proved it, in unix milliseconds. */
      proved: orNull(z.number()),
    }),
  ),
  /** Corrections by guild id. */
  corrections: z
    .record(z.string(), orNull(z.object({ username: Username.nullable(), since: z.number() })))
    .catch({}),
  timeZone: orNull(TimeZone),
});
export type PersonRecord = z.output<typeof PersonRecord>;

const DriverRecord = z.object({
  /** The person who has linked it. */
  owner: orNull(z.string()),
  /** People who have it by a correction, by guild. */
  corrected: z.record(z.string(), z.string()).catch({}),
});
type DriverRecord = z.output<typeof DriverRecord>;

/** People's decisions, and those of administrators about them, by the id of their account. */
export const people = declareCollection({
  name: 'people',
  schema: PersonRecord,
  unreadable: 'none',
  person: {
    forget: (person, personId, key) => (key === personId ? null : person),
    export: [
      personalExport({
        name: 'link',
        read: async (documents, personId): Promise<OwnLink | null> => {
          const link = (await readPerson(documents, personId)).link;
          return link && { ...link, by: 'self' };
        },
        lines({ username, since, proved, unwatched }, t) {
          const player = escapeMarkdown(username);
          const ago = formatMoment(proved ?? since, 'relative', t);
          return [
            t(proved === null ? 'privacy.link' : 'privacy.linkProved', { player, ago }),
            ...(unwatched ? [t('privacy.unwatched', { player })] : []),
          ];
        },
      }),
      personalExport({
        name: 'corrections',
        read: readCorrections,
        lines: (corrections, t) =>
          corrections.map(({ username, since }) => {
            const ago = formatMoment(since, 'relative', t);
            return username === null
              ? t('privacy.correction.removed', { ago })
              : t('privacy.correction.set', { player: escapeMarkdown(username), ago });
          }),
        question: (t) => t('forget.corrections'),
      }),
      personalExport({
        name: 'timeZone',
        read: async (documents, personId): Promise<string | null> =>
          (await readPerson(documents, personId)).timeZone,
        lines: (zone, t) => [t('privacy.timeZone', { zone })],
        question: (t) => t('forget.choices'),
      }),
    ],
  },
});

/** The owners, by `sameSpelling` of the username. An entry counts where the person's own document agrees. */
export const drivers = declareCollection({
  name: 'drivers',
  schema: DriverRecord,
  unreadable: 'none',
  person: {
    forget({ owner, corrected }, personId) {
      const remaining = Object.entries(corrected).filter(([, person]) => person !== personId);
      return orNothing({
        owner: owner === personId ? null : owner,
        corrected: Object.fromEntries(remaining),
      });
    },
    export: { derivedFrom: 'people' },
  },
});

const noPerson: PersonRecord = { link: null, corrections: {}, timeZone: null };
/** The person's own link, as the file of `/privacy` has it. */
type OwnLink = NonNullable<PersonRecord['link']> & { readonly by: 'self' };

/** A link corrected by an administrator, in one guild. */
interface OwnCorrection {
  readonly guild: string;
  /** Null: not linked in this guild. */
  readonly username: string | null;
  /** Unix milliseconds. */
  readonly since: number;
}

async function readPerson(documents: Documents, personId: string): Promise<PersonRecord> {
  return (await readDocument(documents, people, personId)) ?? noPerson;
}

/** Reads the person's corrections in all guilds. */
async function readCorrections(documents: Documents, personId: string): Promise<readonly OwnCorrection[]> {
  const { corrections } = await readPerson(documents, personId);
  return Object.entries(corrections).flatMap(([guild, correction]) =>
    correction === null ? [] : [{ guild, ...correction }],
  );
}

const noDriver: DriverRecord = { owner: null, corrected: {} };

export async function changePerson(
  transaction: Transaction,
  personId: string,
  change: (person: PersonRecord) => Partial<PersonRecord>,
): Promise<void> {
  const previous = (await transaction.read(people, personId)) ?? noPerson;
  const { corrections, ...fields } = { ...previous, ...change(previous) };
  const isNothing =
    Object.keys(corrections).length === 0 && Object.values(fields).every((field) => field === null);
  transaction.write(people, personId, isNothing ? null : { ...fields, corrections });
}

export async function changeDriver(
  transaction: Transaction,
  folded: string,
  change: (driver: DriverRecord) => Partial<DriverRecord>,
): Promise<void> {
  const previous = (await transaction.read(drivers, folded)) ?? noDriver;
  transaction.write(drivers, folded, orNothing({ ...previous, ...change(previous) }));
}

function orNothing(driver: DriverRecord): DriverRecord | null {
  return driver.owner === null && Object.keys(driver.corrected).length === 0 ? null : driver;
}
