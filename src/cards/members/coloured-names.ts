import type { Translator } from '../../i18n/translator.ts';
import { ansi, hasColour } from '../../text/ansi.ts';
import { cutSpans } from '../../text/cut.ts';
import { type Span, scan } from '../../text/scan.ts';
import type { DrivingMember } from './drivers-among.ts';

/** Characters of a name. */
const NAME = 24;
/** Characters of the block: a name with a colour for every letter takes six times its length. */
const BLOCK = 400;
const BETWEEN: Span = { colour: 'default', text: ' · ' };

/**
 * The names of these drivers in their colours, one after the other in one block; nothing where none has a colour or the
 * server shows none. To be shown below the plain names.
 */
export function colouredNames(drivers: readonly DrivingMember[], t: Translator): readonly string[] {
  if (!t.colours) return [];
  let block: readonly Span[] = [];
  for (const { player } of drivers) {
    const name = cutSpans(scan(player.nickname ?? ''), NAME);
    if (!hasColour(name)) continue;
    const longer = block.length === 0 ? name : [...block, BETWEEN, ...name];
    if (ansi(longer).length > BLOCK) break;
    block = longer;
  }
  return block.length === 0 ? [] : [ansi(block)];
}
