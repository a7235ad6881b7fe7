/** Months are kept for each settled link, unless the person has turned that off. */
import { z } from 'zod';
import type { Clock } from '../../../src/base/clock.ts';
import { buttonRow } from '../../../src/cards/kit/card.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import type { HiddenDrivers } from '../../../src/community/accounts/hidden-drivers.ts';
import { isSettled, type Link, type Links } from '../../../src/community/accounts/links.ts';
import { people } from '../../../src/community/accounts/people.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { sameSpelling, Username } from '../../../src/service/models/identifiers.ts';
import { changeDocuments } from '../../../src/store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
} from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';

const MonthChoice = z.object({
  /** Version 2.0.0 reads no other value. */
  keeps: z.literal(true),
  /** The driver for whom the person has turned it on, which counts at once; null: the age of the link decides. */
  driver: Username.nullable().catch(null),
  /** The person has turned it off. Version 2.0.0 keeps nobody's months either if there is no driver. */
  isOff: z.boolean().default(false),
});
type MonthChoice = z.output<typeof MonthChoice>;

/** People who have chosen, or who have been told that their months are kept. */
export const monthChoices = declareCollection({
  name: 'recap-kept-months',
  schema: MonthChoice,
  unreadable: 'none',
  person: {
    forget: (choice, personId, key) => (key === personId ? null : choice),
    export: [
      personalExport({
        name: 'keepsMonths',
        read: (documents, personId): Promise<MonthChoice | null> =>
          readDocument(documents, monthChoices, personId),
        lines({ driver, isOff }, t) {
          if (isOff) return [t('recap.stored.off')];
          if (driver === null) return [t('recap.stored.told')];
          return [t('recap.stored.on', { player: escapeMarkdown(driver) })];
        },
        question: (t) => t('recap.stored.question'),
      }),
    ],
  },
});

function isKept(link: Link, choice: MonthChoice | null, now: number): boolean {
  if (choice?.isOff === true) return false;
  return sameSpelling(choice?.driver ?? '') === sameSpelling(link.username) || isSettled(link, now);
}

/** Notes that the person is told, unless they have been forgotten meanwhile. `isNew`: they were not told before, and have not chosen. */
export function noteTold(documents: Documents, personId: string) {
  return changeDocuments(documents, async (transaction) => {
    const isLinked = (await transaction.read(people, personId))?.link != null;
    const choice = await transaction.read(monthChoices, personId);
    const isNew = isLinked && choice === null;
    if (isNew) transaction.write(monthChoices, personId, { keeps: true, driver: null, isOff: false });
    return { isOn: isLinked && choice?.isOff !== true, isNew };
  });
}

/** Tells whether a choice says only that the person was told. */
function saysOnlyTold({
  driver,
  isOff,
}: {
  readonly driver: string | null;
  readonly isOff: boolean;
}): boolean {
  return driver === null && !isOff;
}

/** In ms: every command asks whether the person is to be told, and may learn it late. */
const MAX_AGE_MS = 30_000;

/** A person's own link counts, and no guild's correction: anyone can create a guild and be its administrator. */
export function createMonthChoices({
  documents,
  links,
  hidden,
  clock,
}: {
  readonly documents: Documents;
  readonly links: Pick<Links, 'linked'>;
  readonly hidden: Pick<HiddenDrivers, 'isHidden'>;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const choices = deriveFromCollection(documents, monthChoices, (all) => all);

  /** Deletes what says only that a person was told, if they have no link any more. */
  const forgetTold = (personId: string): Promise<void> =>
    changeDocuments(documents, async (transaction) => {
      const isLinked = (await transaction.read(people, personId))?.link != null;
      const choice = await transaction.read(monthChoices, personId);
      if (!isLinked && choice !== null && saysOnlyTold(choice))
        transaction.write(monthChoices, personId, null);
    });

  /** Returns null without a link. `isOn`: not turned off. `isKept`: and by now. */
  async function of(personId: string, maxAge = 0) {
    const [person, choice] = await Promise.all([
      readDocument(documents, people, personId, maxAge),
      readDocument(documents, monthChoices, personId, maxAge),
    ]);
    if (person === null || person.link === null) return null;
    const link: Link = { ...person.link, by: 'self' };
    return {
      driver: link.username,
      isOn: choice?.isOff !== true,
      isKept: isKept(link, choice, clock.now()),
      hasChoice: choice !== null,
    };
  }

  return {
    of,
    /** Notes that the person is told now. False: nothing is kept, as they have turned it off. */
    tell: async (personId: string): Promise<boolean> => (await noteTold(documents, personId)).isOn,
    /** People whose months are kept, with their drivers. */
    async kept(): Promise<readonly { readonly personId: string; readonly driver: string }[]> {
      const [linked, byPerson] = await Promise.all([links.linked(), choices()]);
      const now = clock.now();
      return linked
        .filter((link) => isKept({ ...link, by: 'self' }, byPerson.get(link.personId) ?? null, now))
        .map(({ personId, username: driver }) => ({ personId, driver }));
    },
    /** Forgets everybody whose link has ended otherwise. */
    async sweep(): Promise<void> {
      const [linked, byPerson] = await Promise.all([links.linked(), choices()]);
      const linkedPeople = new Set(linked.map(({ personId }) => personId));
      for (const [personId, choice] of byPerson)
        if (saysOnlyTold(choice) && !linkedPeople.has(personId)) await forgetTold(personId);
    },
    set: (personId: string, isOn: boolean): Promise<void> =>
      changeDocuments(documents, async (transaction) => {
        const link = isOn ? ((await transaction.read(people, personId))?.link ?? null) : null;
        const driver = link?.username ?? null;
        transaction.write(monthChoices, personId, { keeps: true, driver, isOff: !isOn });
      }),
    /** Tells a person once whose months are kept, and who was not told when they linked their driver. */
    async message({ id }: { readonly id: string }, t: Translator): Promise<Reply | null> {
      const months = await of(id, MAX_AGE_MS);
      // The answer may have been that of `/unlink`.
      if (months === null) {
        const choice = await readDocument(documents, monthChoices, id, MAX_AGE_MS);
        if (choice !== null && saysOnlyTold(choice)) await forgetTold(id);
      }
      if (months === null || months.hasChoice || !months.isKept || hidden.isHidden(months.driver))
        return null;
      if (!(await noteTold(documents, id)).isNew) return null;
      return {
        content: t('recap.keep.notice', { player: escapeMarkdown(months.driver) }),
        components: [buttonRow(keepingButton(true, t))],
      };
    },
  };
}

/** Turns it off, or on again. */
export function keepingButton(isOn: boolean, t: Translator) {
  const label = t(isOn ? 'recap.keep.turnOff' : 'recap.keep.turnOn');
  return { command: 'recap', action: 'keeping', number: isOn ? 0 : 1, subject: '', label };
}
