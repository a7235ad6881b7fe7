import { LiveServer, liveServer } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';

/** Servers with a live file that the overview omits; none if it is a single unnamed server. */
export function leftOut(overview: Overview): readonly LiveServer[] {
  const listed = new Set(overview.map(({ name }) => liveServer(name)));
  return overview.length === 1 && overview[0]?.name === null
    ? []
    : LiveServer.options.filter((name) => !listed.has(name));
}
