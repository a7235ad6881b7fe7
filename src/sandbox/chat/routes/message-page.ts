/** Selects a page of a channel's messages. */
import type { APIMessage } from 'discord.js';
import { z } from 'zod';
import { complain, readForm, snowflake, whole } from '../judge/form.ts';

const messagePage = z
  .object({
    limit: whole(1, 100).default(50),
    before: snowflake.exactOptional(),
    after: snowflake.exactOptional(),
    around: snowflake.exactOptional(),
  })
  .superRefine((asked, context) => {
    // Discord documents that only one may be passed. It accepts more and ignores all but one, which no bot wants.
    const [, ...more] = (['before', 'after', 'around'] as const).filter((key) => asked[key] !== undefined);
    for (const key of more)
      complain(context, 'BASE_TYPE_CHOICES', 'Only one may be passed at a time.', [key]);
  });

type MessagePage = z.output<typeof messagePage>;

/** Throws 50035. */
export function readMessagePage(query: URLSearchParams): MessagePage {
  return readForm(messagePage, Object.fromEntries(query));
}

/**
 * `all`: oldest first; the result: newest first. Around a message are half as many as the limit on either side, and
 * the message itself, if it is there: one more than an even limit, as clients have observed.
 */
export function onPage(
  all: readonly APIMessage[],
  { limit, before, after, around }: MessagePage,
): readonly APIMessage[] {
  const older = (id: string, most: number) =>
    latest(
      all.filter((one) => BigInt(one.id) < BigInt(id)),
      most,
    );
  const newer = (id: string, most: number) => all.filter((one) => BigInt(one.id) > BigInt(id)).slice(0, most);
  if (before !== undefined) return older(before, limit).toReversed();
  if (after !== undefined) return newer(after, limit).toReversed();
  if (around === undefined) return latest(all, limit).toReversed();
  const half = Math.floor(limit / 2);
  const itself = all.filter(({ id }) => id === around);
  return [...older(around, half), ...itself, ...newer(around, half)].toReversed();
}

function latest<T>(all: readonly T[], most: number): readonly T[] {
  return all.slice(Math.max(0, all.length - most));
}
