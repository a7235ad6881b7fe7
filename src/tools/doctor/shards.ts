import type { Config } from '../../base/config.ts';
import { type Finding, ok, warning } from './finding.ts';

/** `recommended`: by Discord, which demands one for every 2500 servers and recommends more. */
export function shardsFinding(setting: Config['discord']['shards'], recommended: number): Finding {
  const count = setting.kind === 'leased' ? setting.count : (setting.shards[0]?.count ?? null);
  if (count === null) return ok('shards', `${counted(recommended)}, as Discord recommends`);
  const own = setting.kind === 'leased' ? '' : `this process connects ${setting.shards.length} of `;
  const says = `SHARDS: ${own}${counted(count)}, Discord recommends ${recommended}`;
  return count < recommended
    ? warning('shards', says, `Raise it before Discord refuses the logins: SHARDS=${recommended}, or auto.`)
    : ok('shards', says);
}

function counted(shards: number): string {
  return shards === 1 ? '1 shard' : `${shards} shards`;
}
