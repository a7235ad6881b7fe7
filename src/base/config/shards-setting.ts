import { z } from 'zod';

/** The shards of Discord that a process connects: all that Discord recommends, or a fixed range of a number. */
export type ShardsSetting =
  | 'auto'
  | {
      readonly first: number;
      readonly last: number;
      /** The number of shards that the bot has in all. */
      readonly total: number;
    };

/** More shards than any bot has. */
const MAX_SHARDS = 16_384;
const RANGE_PATTERN = /^(?:(?<first>\d+)(?:-(?<last>\d+))?\/)?(?<total>\d+)$/;

export const ShardsSetting = z.string().transform((text, context): ShardsSetting => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (text === 'auto') return 'auto';
  const groups = RANGE_PATTERN.exec(text)?.groups;
  if (groups === undefined) return refuse('is neither auto nor a number nor shards of a number');
  const total = Number(groups['total']);
  if (total < 1 || total > MAX_SHARDS) return refuse('is no number of shards');
  const first = Number(groups['first'] ?? 0);
  const last = Number(groups['last'] ?? groups['first'] ?? total - 1);
  if (first > last || last >= total) return refuse('names shards that do not exist: the first is 0');
  return { first, last, total };
});

/** Tells whether the setting leaves shards to other processes. */
export function isPart(setting: ShardsSetting): boolean {
  return setting !== 'auto' && setting.last - setting.first + 1 < setting.total;
}
