import type { Translator } from '../../i18n/translator.ts';
import { RIGHTS } from './board.ts';

const known = [...RIGHTS, 'Connect', 'TimedOut'] as const;

/** Permissions as Discord's settings call them; an unknown one by its name in code. */
export function rightNames(rights: readonly string[], t: Translator): string {
  return rights
    .map((right) => {
      const name = known.find((one) => one === right);
      return name === undefined ? right : t(`board.right.${name}`);
    })
    .join(', ');
}
