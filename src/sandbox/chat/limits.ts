/** What a message may hold, stated here by themselves (field notes §3), and judged field by field. */
import { ButtonStyle, ComponentType, EmbedType } from 'discord-api-types/v10';
import { z } from 'zod';
import { complain, lengthOf, list, text, verbatim, withoutNulls } from './form.ts';

/** In characters, or in pieces where that is said. */
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
  /** Title, description, field names and values, footer and author of all embeds of one message together. */
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

/** An address that the chat's readers can be sent to. `attachment:` stands for a file of the same message. */
function address(max: number, schemes: readonly string[]) {
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

const emoji = z
  .object({
    id: z.string().exactOptional(),
    name: z.string().exactOptional(),
    animated: z.boolean().exactOptional(),
  })
  .superRefine(({ id, name }, context) => {
    if (id === undefined && !/^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f?)$/v.test(name ?? ''))
      complain(context, 'COMPONENT_INVALID_EMOJI', 'Invalid emoji', ['name']);
  });

const customId = verbatim(LIMITS.customId, 1);
const disabled = z.boolean().exactOptional();
const id = z.int().min(0).exactOptional();

const label = {
  label: text(LIMITS.buttonLabel).exactOptional(),
  emoji: emoji.exactOptional(),
};

function sayable(value: { label?: string; emoji?: unknown }, context: z.core.$RefinementCtx): void {
  if (!value.label && value.emoji === undefined)
    complain(context, 'BUTTON_COMPONENT_REQUIRES_LABEL_OR_EMOJI', 'A button needs a label or an emoji', [
      'label',
    ]);
}

const button = z.union([
  z
    .object({
      type: z.literal(ComponentType.Button),
      style: z.literal([ButtonStyle.Primary, ButtonStyle.Secondary, ButtonStyle.Success, ButtonStyle.Danger]),
      custom_id: customId,
      ...label,
      disabled,
      id,
    })
    .superRefine(sayable),
  z
    .object({
      type: z.literal(ComponentType.Button),
      style: z.literal(ButtonStyle.Link),
      url: address(LIMITS.buttonUrl, ['http', 'https', 'discord']),
      ...label,
      disabled,
      id,
    })
    .superRefine(sayable),
]);

const pickable = {
  custom_id: customId,
  placeholder: text(LIMITS.placeholder).exactOptional(),
  min_values: z.int().min(0).max(LIMITS.selectOptions).exactOptional(),
  max_values: z.int().min(1).max(LIMITS.selectOptions).exactOptional(),
  disabled,
  id,
};

const stringSelect = z
  .object({
    type: z.literal(ComponentType.StringSelect),
    ...pickable,
    options: list(
      z.object({
        label: text(LIMITS.optionLabel, 1),
        value: verbatim(LIMITS.optionValue, 1),
        description: text(LIMITS.optionDescription).exactOptional(),
        emoji: emoji.exactOptional(),
        default: z.boolean().exactOptional(),
      }),
      LIMITS.selectOptions,
      1,
    ),
  })
  .superRefine(({ options, min_values, max_values }, context) => {
    const values = options.map(({ value }) => value);
    options.forEach(({ value }, index) => {
      if (values.indexOf(value) !== index)
        complain(
          context,
          'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
          'The specified option value is already used',
          ['options', index, 'value'],
        );
    });
    if ((max_values ?? 1) > options.length)
      complain(
        context,
        'SELECT_COMPONENT_MAX_VALUES_TOO_LARGE',
        'Max values must be no more than the number of options',
        ['max_values'],
      );
    if ((min_values ?? 1) > (max_values ?? 1))
      complain(context, 'NUMBER_TYPE_MAX', 'Min values must be no more than max values', ['min_values']);
    if (options.filter((option) => option.default === true).length > (max_values ?? 1))
      complain(context, 'SELECT_COMPONENT_TOO_MANY_DEFAULTS', 'More defaults than max values', ['options']);
  });

const entitySelect = z.object({
  type: z.literal([ComponentType.UserSelect, ComponentType.RoleSelect, ComponentType.MentionableSelect]),
  ...pickable,
});

const channelSelect = z.object({
  type: z.literal(ComponentType.ChannelSelect),
  ...pickable,
  channel_types: z.array(z.int()).exactOptional(),
});

const row = z
  .object({
    type: z.literal(ComponentType.ActionRow),
    id,
    components: list(z.union([button, stringSelect, entitySelect, channelSelect]), LIMITS.buttonsInRow, 1),
  })
  .superRefine(({ components }, context) => {
    if (components.length > 1 && components.some(({ type }) => type !== ComponentType.Button))
      complain(
        context,
        'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
        'The specified component exceeds the maximum width',
        ['components'],
      );
  });

/** Rows of buttons and menus. The chat numbers whatever carries no `id` of its own. */
export const components = z.preprocess(
  withoutNulls,
  list(row, LIMITS.rows)
    .superRefine((rows, context) => {
      const seen = new Set<string>();
      rows.forEach((one, rowIndex) => {
        one.components.forEach((component, index) => {
          if (!('custom_id' in component)) return;
          if (seen.has(component.custom_id))
            complain(context, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated', [
              rowIndex,
              'components',
              index,
              'custom_id',
            ]);
          seen.add(component.custom_id);
        });
      });
    })
    .transform((rows) => {
      let last = 0;
      return rows.map((one) => ({
        ...one,
        id: one.id ?? ++last,
        components: one.components.map((component) => ({ ...component, id: component.id ?? ++last })),
      }));
    }),
);

/** Suggestions for an option that is being typed. */
export const choices = list(
  z.object({
    name: text(LIMITS.choiceName, 1),
    value: z.union([verbatim(LIMITS.choiceValue, 1), z.number()]),
  }),
  LIMITS.choices,
);
