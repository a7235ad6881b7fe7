import { type Finding, ok, warning } from './finding.ts';

/** A `Date` header has whole seconds, and its answer was on its way for some more. */
const TOLERANCE_MS = 10_000;

/** How much the clocks of both services are ahead of ours, in ms; null where one gave no time. */
export function clockFinding(ahead: {
  readonly discord: number | null;
  readonly service: number | null;
}): readonly Finding[] {
  const isOff = (ms: number | null): boolean => ms !== null && Math.abs(ms) > TOLERANCE_MS;
  const { discord, service } = ahead;
  if (discord === null && service === null) return [];
  // Where both services could be asked and disagree, Discord's clock is taken for right.
  if (isOff(discord ?? service)) {
    const says = `this machine's clock is ${offBy(-(discord ?? service ?? 0))}`;
    return [warning('clock', says, 'Synchronise it (on Linux: timedatectl set-ntp true).')];
  }
  if (isOff(service)) {
    const says = `the data service's clock is ${offBy(service ?? 0)}`;
    return [warning('clock', says, 'Nothing to do here: ages are counted by its own clock.')];
  }
  return [ok('clock', 'this machine, Discord and the data service agree to ten seconds')];
}

function offBy(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const amount =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3600)} h`;
  return `${amount} ${ms < 0 ? 'slow' : 'fast'}`;
}
