/** Headlines that earlier versions wrote into a channel's topic. They are taken out of it, and no new ones are written. */

/** Between such a line and the text of the people whose channel it is. */
const BETWEEN = ' ┃ ';

/** Returns a topic without these lines; null for no topic. */
export function topicWithout(topic: string | null, lines: readonly string[]): string | null {
  const text = lines.reduce((rest, line) => rest.replace(line + BETWEEN, '').replace(line, ''), topic ?? '');
  return text === '' ? null : text;
}
