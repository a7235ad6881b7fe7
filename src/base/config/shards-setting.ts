import { z } from 'zod';

/** Which of Discord's shards this process connects. */
export type ShardsSetting =
  /** Its part of all shards, shared out among the processes; null: as many as Discord recommends. */
  | { readonly kind: 'leased'; readonly count: number | null }
  | { readonly kind: 'fixed'; readonly shards: readonly { readonly id: number; readonly count: number }[] };

/** More than any bot has. */
const MOST = 16_384;
const FORM = /^(?:(?<first>\d+)(?:-(?<last>\d+))?\/)?(?<count>\d+)$/;

export const ShardsSetting = z.string().transform((text, context): ShardsSetting => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (text === 'auto') return { kind: 'leased', count: null };
  const found = FORM.exec(text)?.groups;
  if (found === undefined) return refuse('is neither auto nor a number nor shards of a number');
  const count = Number(found['count']);
  if (count < 1 || count > MOST) return refuse('is no number of shards');
  if (found['first'] === undefined) return { kind: 'leased', count };
  const first = Number(found['first']);
  const last = Number(found['last'] ?? first);
  if (first > last || last >= count) return refuse('names shards that do not exist: the first is 0');
  const ids = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return { kind: 'fixed', shards: ids.map((id) => ({ id, count })) };
});
