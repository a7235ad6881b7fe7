/** The valid form of a message that the bot sends. */
import { AllowedMentionsTypes } from 'discord.js';
import { z } from 'zod';
import { components } from './component-limits.ts';
import { complain, list, readForm, snowflake, text } from './form.ts';
import { embeds, LIMITS } from './limits.ts';

const allowedMentions = z
  .object({
    parse: z.array(z.enum(AllowedMentionsTypes)).exactOptional(),
    users: list(snowflake, 100).exactOptional(),
    roles: list(snowflake, 100).exactOptional(),
    replied_user: z.boolean().exactOptional(),
  })
  .superRefine(({ parse = [], users = [], roles = [] }, context) => {
    const clash = (kind: AllowedMentionsTypes, ids: readonly string[]) =>
      parse.includes(kind) && ids.length > 0;
    if (clash(AllowedMentionsTypes.User, users) || clash(AllowedMentionsTypes.Role, roles))
      complain(context, 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', 'parse and ids are mutually exclusive');
  });

const message = z.object({
  content: text(LIMITS.content).nullish(),
  embeds: embeds.nullish(),
  components: components.nullish(),
  flags: z.int().min(0).nullish(),
  allowed_mentions: allowedMentions.nullish(),
  attachments: list(
    z.object({
      id: z.union([z.string(), z.int()]),
      filename: z.string().nullish(),
      description: text(1024).nullish(),
    }),
    10,
  ).nullish(),
  nonce: z.union([z.string().max(LIMITS.nonce), z.int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
});

export type MessageForm = z.output<typeof message>;

/** Validates a message; throws 50035 with the path of each error. */
export function readMessageForm(body: unknown): MessageForm {
  return readForm(message, body ?? {});
}
