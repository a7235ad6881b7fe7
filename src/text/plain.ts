import { scanText } from './scan.ts';

// Anything visible: not just white space, controls, marks, fillers or the braille pattern without dots.
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns in-game text as plain Unicode on one line: the spans of `scan` without their colours. */
export function toPlainText(input: string): string {
  return scanText(input)
    .map(({ text }) => text)
    .join('');
}

/**
 * The name to show for a person: the plain nickname, or the username if the nickname has nothing visible. Never
 * empty, because Discord refuses a card with an empty title.
 *
 * A username is not in-game text: its carets are literal. It is cleaned all the same.
 */
export function displayName(nickname: string | null, username: string): string {
  return visibleName(nickname ?? '') ?? visibleName(username.replaceAll('^', '^^')) ?? '?';
}

/** Returns the plain nickname; null if it has no visible character. */
export function visibleName(nickname: string): string | null {
  const name = toPlainText(nickname);
  return VISIBLE.test(name) ? name : null;
}
