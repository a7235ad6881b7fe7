/** How chat draws a moment, each reader in their own language and zone: "2 hours ago", a day, day and time. */
export type MomentStyle = 'relative' | 'day' | 'time';

const styles: Readonly<Record<MomentStyle, string>> = { relative: 'R', day: 'D', time: 'f' };

/** Chat draws moments that a date can hold; beyond that it shows the bare markup or "Invalid date". */
const LATEST = 8.64e15;

/** Chat's own markup for a moment in unix milliseconds; null for one that no calendar holds. Not drawn in titles and footers. */
export function timestamp(moment: number, style: MomentStyle): string | null {
  if (!(Math.abs(moment) <= LATEST)) return null;
  return `<t:${Math.floor(moment / 1000)}:${styles[style]}>`;
}
