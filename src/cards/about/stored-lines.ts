import { moment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { StoredData } from '../../service/models/own-data.ts';
import { each, fitLines } from '../kit/fit-lines.ts';
import { named, present } from '../kit/lines.ts';
import { reminderText, wantedText } from '../watch/alert-text.ts';

/** Further lines are only in the file: more would push the buttons off a phone's screen. */
const MOST = 5;

/** The data stored under a person's account, one line each. */
export function storedLines(stored: StoredData, t: Translator): readonly string[] {
  const { link, proof, corrections, timeZone, watches, sent, pauseNotice } = stored;
  const { profileAsPicture, boards, roles, figures, convoys } = stored;
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
    profileAsPicture && t('privacy.profileAsPicture'),
    ...watches.map(
      ({ condition, once, since }) =>
        reminderText({ condition, once }, t) ??
        t('privacy.watch', { what: wantedText(condition, t, named), ago: ago(since) }),
    ),
    sent.length === 0 ? null : t('privacy.sent', { n: sent.length }),
    pauseNotice && t('privacy.pauseNotice'),
    link?.unwatched ? t('privacy.unwatched', { player: named(link.username) }) : null,
    roles && t('privacy.roles', { known: roles.known.length, made: roles.made.length }),
    figures && t('privacy.figures', { player: named(figures.driver), ago: ago(figures.asOf) }),
    convoys && t('privacy.convoys', convoyCounts(convoys)),
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

function convoyCounts({ made, draft, signedUp, there }: NonNullable<StoredData['convoys']>) {
  return { made: made.length + (draft === null ? 0 : 1), signedUp: signedUp.length, there: there.length };
}
