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
const FORM = /^(?:(?<first>\d+)(?:-(?<last>\d+))?\/)?(?<total>\d+)$/;

export const ShardsSetting = z.string().transform((text, context): ShardsSetting => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (text === 'auto') return 'auto';
  const found = FORM.exec(text)?.groups;
  if (found === undefined) return refuse('is neither auto nor a number nor shards of a number');
  const total = Number(found['total']);
  if (total < 1 || total > MAX_SHARDS) return refuse('is no number of shards');
  const first = Number(found['first'] ?? 0);
  const last = Number(found['last'] ?? found['first'] ?? total - 1);
  if (first > last || last >= total) return refuse('names shards that do not exist: the first is 0');
  return { first, last, total };
});

/** Tells whether the setting leaves shards to other processes. */
export function isPart(setting: ShardsSetting): boolean {
  return setting !== 'auto' && setting.last - setting.first + 1 < setting.total;
}
