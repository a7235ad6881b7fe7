import { moment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Watch } from '../../service/models/watch.ts';
import { each, fitLines } from '../kit/fit-lines.ts';
import { named, present } from '../kit/lines.ts';
import { reminderText, wantedText } from '../watch/alert-text.ts';

/** Further lines are only in the file: more would push the buttons off a phone's screen. */
const MOST = 5;

/** Everything stored under a person's account. Times in unix milliseconds. */
interface StoredData {
  readonly link: {
    readonly username: string;
    readonly since: number;
    /** Null: never. */
    readonly proved: number | null;
    /** No alerts about this driver. */
    readonly unwatched: boolean;
  } | null;
  /** Its attempts of a day to prove a link. */
  readonly proof: { readonly begun: readonly number[] } | null;
  /** Corrections by administrators, one per guild; null: not linked there. */
  readonly corrections: readonly { readonly username: string | null; readonly since: number }[];
  readonly timeZone: string | null;
  readonly watches: readonly Pick<Watch, 'condition' | 'once' | 'since'>[];
  /** Rules for roles that know the person as a member, with figures of the driver, and that the person has made. */
  readonly roles: { readonly known: number; readonly made: number } | null;
  /** Convoys that the person has made or is drafting, has signed up for, and was at. */
  readonly convoys: { readonly made: number; readonly signedUp: number; readonly there: number } | null;
  /** The person's live boards. */
  readonly boards: readonly { readonly channel: string; readonly since: number }[];
}

/** The data stored under a person's account, one line each. */
export function storedLines(
  { link, proof, corrections, timeZone, watches, boards, roles, convoys }: StoredData,
  t: Translator,
): readonly string[] {
  const ago = (at: number): string => moment(at, 'relative', t);
  const lines = present(
    link && linkLine(link, t),
    proof && t('privacy.proof', { n: proof.begun.length }),
    ...corrections.map(({ username, since }) =>
      username === null
        ? t('privacy.correction.removed', { ago: ago(since) })
        : t('privacy.correction.set', { player: named(username), ago: ago(since) }),
    ),
    timeZone === null ? null : t('privacy.timeZone', { zone: timeZone }),
    ...watches.map(
      ({ condition, once, since }) =>
        reminderText({ condition, once }, t) ??
        t('privacy.watch', { what: wantedText(condition, t, named), ago: ago(since) }),
    ),
    link?.unwatched ? t('privacy.unwatched', { player: named(link.username) }) : null,
    roles && t('privacy.roles', roles),
    convoys && t('privacy.convoys', convoys),
    ...boards.map(({ channel, since }) => t('privacy.board', { channel: `<#${channel}>`, ago: ago(since) })),
  );
  if (lines.length === 0) return [t('privacy.nothing')];
  return [
    t('privacy.heading'),
    fitLines(
      each(lines, (line) => `- ${line}`),
      { entries: MOST },
      t,
    ),
  ];
}

function linkLine({ username, since, proved }: NonNullable<StoredData['link']>, t: Translator): string {
  const about = { player: named(username), ago: moment(proved ?? since, 'relative', t) };
  return t(proved === null ? 'privacy.link' : 'privacy.linkProved', about);
}
