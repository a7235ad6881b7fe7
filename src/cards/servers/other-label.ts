import { type LiveServer, type LiveStatus, liveServer } from '../../service/models/live-status.ts';
import { plain } from '../../text/plain.ts';

/**
 * The other server by whose name a server's live file calls itself; null where it does not. Each server has its file at
 * an address of its own, which is what was asked for; from outside nobody can tell whether that or the label is wrong.
 */
export function otherLabel(
  server: LiveServer,
  { server: label }: Pick<LiveStatus, 'server'>,
): LiveServer | null {
  const labelled = liveServer(plain(label ?? '').trim());
  return labelled === server ? null : labelled;
}
