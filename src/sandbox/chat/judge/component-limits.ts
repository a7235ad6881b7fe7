/** Discord's rules for buttons and menus, field by field. */
import { ButtonStyle, ComponentType } from 'discord.js';
import { z } from 'zod';
import { complain, list, text, verbatim, withoutNulls } from './form.ts';
import { address, LIMITS } from './limits.ts';

const PICTOGRAPH = /^\p{Extended_Pictographic}\ufe0f?$/v;
/** Thousands of sequences, at 0.1 ms a name: only for names that are no single pictograph. */
const EMOJI = /^\p{RGI_Emoji}$/v;

const emoji = z
  .object({
    id: z.string().exactOptional(),
    name: z.string().exactOptional(),
    animated: z.boolean().exactOptional(),
  })
  .superRefine(({ id, name }, context) => {
    if (id === undefined && !PICTOGRAPH.test(name ?? '') && !EMOJI.test(name ?? ''))
      complain(context, 'COMPONENT_INVALID_EMOJI', 'Invalid emoji', ['name']);
  });

const customId = verbatim(LIMITS.customId, 1);
const disabled = z.boolean().exactOptional();
const id = z.int().min(0).exactOptional();

const ofButton = {
  type: z.literal(ComponentType.Button),
  label: text(LIMITS.buttonLabel).exactOptional(),
  emoji: emoji.exactOptional(),
  disabled,
  id,
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
      ...ofButton,
      style: z.literal([ButtonStyle.Primary, ButtonStyle.Secondary, ButtonStyle.Success, ButtonStyle.Danger]),
      custom_id: customId,
    })
    .superRefine(sayable),
  z
    .object({
      ...ofButton,
      style: z.literal(ButtonStyle.Link),
      url: address(LIMITS.buttonUrl, ['http', 'https', 'discord']),
    })
    .superRefine(sayable),
]);

const pickable = {
  custom_id: customId,
  placeholder: text(LIMITS.placeholder).exactOptional(),
  min_values: z.int().min(0).max(LIMITS.selectOptions).default(1),
  max_values: z.int().min(1).max(LIMITS.selectOptions).default(1),
  disabled,
  id,
};

/** One of the choices of a menu or a group. */
export const option = z.object({
  label: text(LIMITS.optionLabel, 1),
  value: verbatim(LIMITS.optionValue, 1),
  description: text(LIMITS.optionDescription).exactOptional(),
  default: z.boolean().exactOptional(),
});

/** Refuses a value that stands there twice, and numbers that do not fit the choices. */
export function judgeOptions(
  {
    options,
    min_values,
    max_values,
  }: {
    readonly options: readonly z.output<typeof option>[];
    readonly min_values: number;
    readonly max_values: number;
  },
  context: z.core.$RefinementCtx,
): void {
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
  if (max_values > options.length)
    complain(
      context,
      'SELECT_COMPONENT_MAX_VALUES_TOO_LARGE',
      'Max values must be no more than the number of options',
      ['max_values'],
    );
  if (min_values > max_values)
    complain(context, 'NUMBER_TYPE_MAX', 'Min values must be no more than max values', ['min_values']);
  if (options.filter((one) => one.default === true).length > max_values)
    complain(context, 'SELECT_COMPONENT_TOO_MANY_DEFAULTS', 'More defaults than max values', ['options']);
}

export const stringSelect = z
  .object({
    type: z.literal(ComponentType.StringSelect),
    ...pickable,
    options: list(option.extend({ emoji: emoji.exactOptional() }), LIMITS.selectOptions, 1),
  })
  .superRefine(judgeOptions);

const entitySelect = z.object({
  type: z.literal([ComponentType.UserSelect, ComponentType.RoleSelect, ComponentType.MentionableSelect]),
  ...pickable,
});

export const roleSelect = z.object({ type: z.literal(ComponentType.RoleSelect), ...pickable });

export const channelSelect = z.object({
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

/** Rows of buttons and menus. Discord numbers components without an `id`. */
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
