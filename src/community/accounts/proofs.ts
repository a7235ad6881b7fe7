/** A driver is proved by a code in the in-game name, which only the driver can write there. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { DAY, MINUTE } from '../../base/duration.ts';
import { foldName, sameSpelling, Username } from '../../service/models/identifiers.ts';
import { changeDocuments, type Transaction } from '../../store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
} from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import { createSweep } from '../../store/sweep.ts';
import { linkProvenDriver } from './links.ts';

/** Time for which a proof runs. */
const PROOF_TTL_MS = 10 * MINUTE;
const MAX_PROOFS_PER_DAY = 3;
/** The look-ups of one proof, where no live file names drivers. */
const MAX_LOOKS = 6;
/** Without letters and digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const PendingProof = z.object({
  username: Username,
  code: z.string(),
  /** Unix milliseconds. */
  until: z.number(),
  /** Look-ups so far. */
  looks: z.number(),
  /** Token with which Discord lets the card be edited while the proof runs; a secret until then. */
  card: z.string(),
  /** BCP 47: of the card. */
  locale: z.string(),
});
type PendingProof = z.output<typeof PendingProof>;

const Proof = z.object({
  /** When the person began one, within a day (unix milliseconds). */
  begun: z.array(z.number()).readonly(),
  pending: PendingProof.nullable().catch(null),
});

/** Proofs by account. An unreadable proof counts as none: the person can begin again. */
export const proofs = declareCollection({
  name: 'proofs',
  schema: Proof,
  unreadable: 'none',
  person: {
    forget: (proof, personId, key) => (key === personId ? null : proof),
    export: [
      personalExport({
        name: 'proof',
        read: readOwnProof,
        lines: ({ begun }, t) => [t('privacy.proof', { n: begun.length })],
      }),
    ],
  },
});

interface OwnProof {
  readonly begun: readonly number[];
  /** The proof under way; null if it has succeeded or was cancelled. */
  readonly latest: Pick<PendingProof, 'username' | 'code' | 'until'> | null;
}

/** Reads a person's proofs, without the fields that let the card be edited. */
async function readOwnProof(documents: Documents, personId: string): Promise<OwnProof | null> {
  const proof = await readDocument(documents, proofs, personId);
  if (proof === null) return null;
  const { begun: begunTimes, pending: latest } = proof;
  return {
    begun: begunTimes,
    latest: latest && { username: latest.username, code: latest.code, until: latest.until },
  };
}

/** A driver as a profile or a live file names one. */
interface NamedDriver {
  readonly username: string | null;
  /** The in-game name with its colour codes. */
  readonly nickname: string | null;
}

/** A proof that has succeeded. */
interface NewProof extends Pick<PendingProof, 'username' | 'code' | 'card' | 'locale'> {
  /** The account that had linked the driver; null: none. */
  readonly loser: string | null;
}

/** Rejects where the store fails. */
export function createProofs(documents: Documents) {
  /** Proofs under way by the driver's name. */
  const pending = deriveFromCollection(documents, proofs, (all) =>
    Map.groupBy(
      [...all].flatMap(([personId, { pending }]) => (pending === null ? [] : [{ personId, pending }])),
      (candidate) => sameSpelling(candidate.pending.username),
    ),
  );
  const sweep = createSweep(documents, proofs, (proof, now) =>
    withinDay(proof.begun, now).length === 0 ? null : proof,
  );
  let judged: Promise<unknown> = Promise.resolve();

  async function judge(drivers: readonly NamedDriver[], now: number): Promise<readonly NewProof[]> {
    const proved: NewProof[] = [];
    const byDriver = await pending();
    if (byDriver.size === 0) return proved;
    for (const { username, nickname } of drivers)
      for (const { personId, pending: candidate } of byDriver.get(sameSpelling(username ?? '')) ?? []) {
        if (username === null || nickname === null || !isSameLogin(username, candidate.username)) continue;
        if (now >= candidate.until || !foldName(nickname).includes(candidate.code)) continue;
        const end = await changeDocuments(documents, (transaction) =>
          finish(transaction, personId, candidate.code, now),
        );
        if (end !== null) proved.push(end);
      }
    return proved;
  }

  return {
    /** Begins a proof, or continues the one for that driver. Returns a time (unix milliseconds) if the person may begin the next one only then. */
    async begin(
      personId: string,
      request: Pick<PendingProof, 'username' | 'card' | 'locale'>,
      now: number,
    ): Promise<PendingProof | number> {
      await sweep(now);
      return changeDocuments(documents, async (transaction) => {
        const last = await running(transaction.read, personId, now);
        const recent = withinDay((await transaction.read(proofs, personId))?.begun ?? [], now);
        const isSame = last !== null && sameSpelling(last.username) === sameSpelling(request.username);
        const [first] = recent;
        if (!isSame && first !== undefined && recent.length >= MAX_PROOFS_PER_DAY) return first + DAY;
        const next = isSame
          ? { ...last, ...request }
          : { ...request, code: newCode(), until: now + PROOF_TTL_MS, looks: 0 };
        transaction.write(proofs, personId, { begun: isSame ? recent : [...recent, now], pending: next });
        return next;
      });
    },
    /** Null: none runs. */
    running: (personId: string, now: number) =>
      running((of, key) => readDocument(documents, of, key), personId, now),
    /** Counts a look-up. False: the proof has used all its look-ups. */
    look: (personId: string): Promise<boolean> =>
      changeDocuments(documents, async (transaction) => {
        const proof = await transaction.read(proofs, personId);
        if (proof?.pending == null || proof.pending.looks >= MAX_LOOKS) return false;
        const { pending: current } = proof;
        transaction.write(proofs, personId, { ...proof, pending: { ...current, looks: current.looks + 1 } });
        return true;
      }),
    cancel: (personId: string): Promise<void> =>
      changeDocuments(documents, async (transaction) => {
        const proof = await transaction.read(proofs, personId);
        if (proof !== null) transaction.write(proofs, personId, { ...proof, pending: null });
      }),
    /** Ends the proofs whose code is in the name of their driver, and resolves with them; another process does not. */
    seen(drivers: readonly NamedDriver[], now: number): Promise<readonly NewProof[]> {
      const proved = judge(drivers, now);
      judged = Promise.allSettled([judged, proved]);
      return proved;
    },
    /** Once all that was seen so far has been judged; never rejects. */
    async settled(): Promise<void> {
      await judged;
    },
  };
}

async function running(
  read: Transaction['read'],
  personId: string,
  now: number,
): Promise<PendingProof | null> {
  const proof = (await read(proofs, personId))?.pending ?? null;
  return proof !== null && now < proof.until ? proof : null;
}

/** Ends a proof. Null: it does not run any more, or has another code. */
async function finish(
  transaction: Transaction,
  personId: string,
  code: string,
  now: number,
): Promise<NewProof | null> {
  const proof = await transaction.read(proofs, personId);
  const still = await running(transaction.read, personId, now);
  if (proof === null || still?.code !== code) return null;
  transaction.write(proofs, personId, { ...proof, pending: null });
  const { username, card, locale } = still;
  return {
    username,
    code,
    card,
    locale,
    loser: await linkProvenDriver(transaction, personId, username, now),
  };
}

/** In upper case a Kelvin sign, which may stand in another driver's login, is no K; in lower case it is a k. */
function isSameLogin(login: string, otherLogin: string): boolean {
  return login.toUpperCase() === otherLogin.toUpperCase();
}

/** A code that is found nowhere but where it was written, among the names of a game. */
function newCode(): string {
  return `pw-${Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;
}

/** Returns the times within the last day. Times in the future, from a clock that was ahead, do not count. */
function withinDay(begun: readonly number[], now: number): readonly number[] {
  return begun.filter((at) => at <= now && now - at < DAY);
}
