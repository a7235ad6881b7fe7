/** Discord's limits for a message, written independently of the bot and checked field by field. */
import { EmbedType } from 'discord.js';
import { z } from 'zod';
import { complain, lengthOf, list, text, verbatim, withoutNulls } from './form.ts';

/** In characters, or a count. */
export const LIMITS = {
  content: 2000,
  nonce: 25,
  embeds: 10,
  embedTitle: 256,
  embedDescription: 4096,
  embedFields: 25,
  fieldName: 256,
  fieldValue: 1024,
  footer: 2048,
  author: 256,
  /** Titles, descriptions, field names and values, footers and authors of all embeds of a message. */
  allEmbeds: 6000,
  rows: 5,
  buttonsInRow: 5,
  buttonLabel: 80,
  customId: 100,
  placeholder: 150,
  selectOptions: 25,
  optionLabel: 100,
  optionValue: 100,
  optionDescription: 100,
  url: 2048,
  buttonUrl: 512,
  choices: 25,
  choiceName: 100,
  choiceValue: 100,
} as const;

/** A URL that readers can open. `attachment:` refers to a file of the same message. */
export function address(max: number, schemes: readonly string[]) {
  return text(max, 1).superRefine((value, context) => {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase();
    if (scheme === undefined || !URL.canParse(value))
      complain(context, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
    else if (!schemes.includes(scheme)) {
      const allowed = schemes.map((name) => `'${name}'`).join(', ');
      complain(context, 'URL_TYPE_INVALID_SCHEME', `Scheme "${scheme}" must be one of (${allowed}).`);
    }
  });
}

const link = address(LIMITS.url, ['http', 'https']);
const picture = address(LIMITS.url, ['http', 'https', 'attachment']);

const embed = z
  .object({
    title: text(LIMITS.embedTitle).exactOptional(),
    description: text(LIMITS.embedDescription).exactOptional(),
    url: link.exactOptional(),
    timestamp: z
      .string()
      .superRefine((value, context) => {
        if (Number.isNaN(Date.parse(value)))
          complain(context, 'DATE_TIME_TYPE_PARSE', `Could not parse ${value}. Should be ISO8601.`);
      })
      .exactOptional(),
    color: z.int().min(0).max(0xffffff).exactOptional(),
    footer: z.object({ text: text(LIMITS.footer, 1), icon_url: picture.exactOptional() }).exactOptional(),
    image: z.object({ url: picture }).exactOptional(),
    thumbnail: z.object({ url: picture }).exactOptional(),
    author: z
      .object({
        name: text(LIMITS.author, 1),
        url: link.exactOptional(),
        icon_url: picture.exactOptional(),
      })
      .exactOptional(),
    fields: list(
      z.object({
        name: text(LIMITS.fieldName, 1),
        value: text(LIMITS.fieldValue, 1),
        inline: z.boolean().default(false),
      }),
      LIMITS.embedFields,
    ).exactOptional(),
  })
  .superRefine((value, context) => {
    const { title, description, footer, image, thumbnail, author, fields } = value;
    const empty =
      !title && !description && !footer && !image && !thumbnail && !author && (fields ?? []).length === 0;
    if (empty) complain(context, 'BASE_TYPE_REQUIRED', 'This field is required', ['description']);
  })
  .transform((value) => ({ type: EmbedType.Rich, ...value }));

type Embed = z.output<typeof embed>;

function embedLength({ title, description, footer, author, fields = [] }: Embed): number {
  const texts = [title, description, footer?.text, author?.name].filter((part) => part !== undefined);
  const all = [...texts, ...fields.flatMap(({ name, value }) => [name, value])];
  return all.reduce((sum, part) => sum + lengthOf(part), 0);
}

export const embeds = z.preprocess(
  withoutNulls,
  list(embed, LIMITS.embeds).superRefine((value, context) => {
    if (value.reduce((sum, one) => sum + embedLength(one), 0) > LIMITS.allEmbeds)
      complain(context, 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${LIMITS.allEmbeds}`);
  }),
);

/** Suggestions for the option being typed. */
export const choices = list(
  z.object({
    name: text(LIMITS.choiceName, 1),
    value: z.union([verbatim(LIMITS.choiceValue, 1), z.number()]),
  }),
  LIMITS.choices,
);
