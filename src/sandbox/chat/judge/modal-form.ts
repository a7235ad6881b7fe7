/**
 * Discord's rules for a modal, as far as this server can show one: labels with a menu, a group of choices, a box to tick or a
 * text input, and rows of one text input, the older form.
 */
import { ComponentType, SelectMenuDefaultValueType, TextInputStyle } from 'discord.js';
import { z } from 'zod';
import { channelSelect, judgeOptions, option, roleSelect, stringSelect } from './component-limits.ts';
import { complain, list, snowflake, text, verbatim, withoutNulls } from './form.ts';
import { LIMITS } from './limits.ts';

const MODAL = { title: 45, components: 5, label: 45, description: 100, text: 4000, group: 10 } as const;

/** Menus of a modal cannot be disabled, and are required unless they say otherwise. */
const ofModal = {
  disabled: z.undefined().exactOptional(),
  required: z.boolean().default(true),
};

function defaults<T extends SelectMenuDefaultValueType>(type: T) {
  return z.array(z.object({ id: snowflake, type: z.literal(type) })).exactOptional();
}

const choice = stringSelect.and(z.object(ofModal));
const channel = channelSelect
  .and(z.object({ ...ofModal, default_values: defaults(SelectMenuDefaultValueType.Channel) }))
  .superRefine(({ default_values = [], max_values }, context) => {
    if (default_values.length > max_values)
      complain(context, 'BASE_TYPE_BAD_LENGTH', 'More default values than max values', ['default_values']);
  });
const role = roleSelect.and(
  z.object({ ...ofModal, default_values: defaults(SelectMenuDefaultValueType.Role) }),
);

const customId = verbatim(LIMITS.customId, 1);
const radios = z
  .object({
    type: z.literal(ComponentType.RadioGroup),
    custom_id: customId,
    required: z.boolean().default(true),
    options: list(option, MODAL.group, 2),
  })
  .superRefine(({ options }, context) => judgeOptions({ options, min_values: 1, max_values: 1 }, context));
const boxes = z
  .object({
    type: z.literal(ComponentType.CheckboxGroup),
    custom_id: customId,
    required: z.boolean().default(true),
    min_values: z.int().min(0).max(MODAL.group).default(1),
    max_values: z.int().min(1).max(MODAL.group).exactOptional(),
    options: list(option, MODAL.group, 1),
  })
  .transform((group) => ({ ...group, max_values: group.max_values ?? group.options.length }))
  .superRefine((group, context) => {
    judgeOptions(group, context);
    if (group.min_values === 0 && group.required)
      complain(context, 'BASE_TYPE_CHOICES', 'Required must be false if min values is 0', ['required']);
  });
const box = z
  .object({
    type: z.literal(ComponentType.Checkbox),
    custom_id: customId,
    default: z.boolean().default(false),
  })
  .transform((one) => ({ ...one, required: false }));

const input = z.object({
  type: z.literal(ComponentType.TextInput),
  custom_id: customId,
  style: z.enum(TextInputStyle),
  required: z.boolean().default(true),
  value: verbatim(MODAL.text).exactOptional(),
  min_length: z.int().min(0).max(MODAL.text).exactOptional(),
  max_length: z.int().min(1).max(MODAL.text).exactOptional(),
  placeholder: text(100).exactOptional(),
});

const label = z.object({
  type: z.literal(ComponentType.Label),
  label: text(MODAL.label, 1),
  description: text(MODAL.description).exactOptional(),
  component: z.union([choice, channel, role, radios, boxes, box, input]),
});

const row = z
  .object({
    type: z.literal(ComponentType.ActionRow),
    components: list(input.extend({ label: text(MODAL.label, 1) }), 1, 1),
  })
  .transform(({ type, components }) => {
    const [field] = components;
    if (field === undefined) throw new TypeError('a row of one has one');
    const { label: shown, ...component } = field;
    return { type, label: shown, description: undefined, component };
  });

/** The data of a callback that opens a modal. */
export const ModalForm = z.preprocess(
  withoutNulls,
  z
    .object({
      custom_id: verbatim(LIMITS.customId, 1),
      title: text(MODAL.title, 1),
      components: list(z.union([label, row]), MODAL.components, 1),
    })
    .superRefine(({ components }, context) => {
      const ids = components.map(({ component }) => component.custom_id);
      ids.forEach((id, index) => {
        if (ids.indexOf(id) !== index)
          complain(context, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated', [
            ...['components', index, 'component', 'custom_id'],
          ]);
      });
    }),
);
export type ModalForm = z.output<typeof ModalForm>;
