/** The oldest Node with the security fixes that the bot's own line has. */
const SAFE_NODE = '24.18.1';

/** Returns what to do where Node lacks security fixes; null: nothing. */
export function nodeAdvice(version: string = process.versions.node): string | null {
  const isSafe = version.localeCompare(SAFE_NODE, 'en', { numeric: true }) >= 0;
  return isSafe ? null : `this Node lacks security fixes; install Node ${SAFE_NODE} or newer`;
}
