import type { RedisFacts } from '../../store/redis/probe.ts';
import type { SqliteFacts } from '../../store/sqlite/probe.ts';
import { type Finding, failed, ok, troubled, warning } from './finding.ts';

const MB = 1024 * 1024;
/** The stored answers may still grow by 64 MB, and each daily copy by as much. */
const SCARCE = 500 * MB;
const FULL = 20 * MB;

export function storeFindings(facts: SqliteFacts | RedisFacts): readonly Finding[] {
  if (facts.kind === 'redis') return redisFindings(facts);
  return [...sqliteFindings(facts), ...(facts.history === null ? [] : [troubled('store', facts.history)])];
}

function sqliteFindings({
  file,
  state,
  trouble,
  bytes,
  freeBytes,
  usedBy,
  newestCopy,
}: SqliteFacts): readonly Finding[] {
  if (trouble !== null) return [troubled('store', trouble)];
  const free = `${Math.floor(freeBytes / MB)} MB are free`;
  if (freeBytes < FULL)
    return [
      failed(
        'store',
        `${file}: the disk is full, ${free}`,
        'Free some space, or name another file in STORE_URL.',
      ),
    ];
  if (freeBytes < SCARCE)
    return [
      warning(
        'store',
        `${file}: ${free} on its disk`,
        'Free 500 MB: the store and its seven copies still grow.',
      ),
    ];
  if (state === 'missing') return [ok('store', `${file} will be created; ${free}`)];
  const user = usedBy === null ? 'not in use' : `in use by process ${usedBy.pid} on ${usedBy.host}`;
  const copy = newestCopy === null ? 'no copy yet' : `newest copy ${newestCopy}`;
  return [ok('store', `${file} is whole (${Math.ceil(bytes / 1024)} KiB), ${user}, ${copy}; ${free}`)];
}

function redisFindings({ trouble, advice, usedBytes, mostBytes }: RedisFacts): readonly Finding[] {
  if (trouble !== null) return [troubled('store', trouble)];
  const isTight = mostBytes !== null && usedBytes > 0.9 * mostBytes;
  const space = `${Math.ceil(usedBytes / MB)} MB used${mostBytes === null ? '' : ` of ${Math.floor(mostBytes / MB)} MB`}`;
  const findings = [
    ...advice.map((one) => {
      const [says = one, todo = ''] = one.split(': ');
      return warning('store', says, `In Redis, ${todo}.`);
    }),
    ...(isTight ? [warning('store', `Redis is nearly full (${space})`, 'Raise maxmemory.')] : []),
  ];
  return findings.length > 0
    ? findings
    : [ok('store', `Redis answers, saves its data and evicts nothing; ${space}`)];
}
