import {
  type APIComponentInLabel,
  type APIModalInteractionResponseCallbackData,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
  SelectMenuDefaultValueType,
  TextInputStyle,
} from 'discord.js';
import { writeCustomId } from '../../cards/kit/custom-id.ts';
import { joinParts } from '../../cards/kit/lines.ts';
import {
  FORM_ACTION,
  type Form,
  MAX_FIELD_LENGTH,
  type ShownField,
  type Values,
  valuesInSubject,
} from '../../command-kit/form.ts';
import type { Translator } from '../../i18n/translator.ts';
import { cutText } from '../../text/cut.ts';
import { TEXT_CHANNELS } from '../gateway/guilds.ts';

/** Discord's limit for a title, in characters. */
const MAX_TITLE_LENGTH = 45;

/** A form as Discord shows it. Its id holds what it began with, `values` is what is filled in by now. */
export function formWindow(
  command: string,
  form: Form,
  filling: {
    readonly initialValues: Partial<Values>;
    readonly values: Partial<Values>;
    /** A menu of channels offers it. */
    readonly offers: (channelId: string) => boolean;
    /** The name of a channel as far as the interaction tells it. */
    readonly nameOf: (channelId: string) => string | null;
  },
  t: Translator,
): APIModalInteractionResponseCallbackData {
  const { initialValues, values, offers, nameOf } = filling;
  const filledIn = (name: string, field: ShownField): string | null => {
    const value = values[name] ?? null;
    return value !== null && field.kind === 'channel' && !offers(value) ? null : value;
  };
  const [subject] = Object.entries(form.fields).flatMap(([name, { kind }]) =>
    kind === 'kept' ? (nameOf(initialValues[name] ?? '') ?? []) : [],
  );
  return {
    custom_id: writeCustomId({ command, action: FORM_ACTION, subject: valuesInSubject(form, initialValues) }),
    title: cutText(joinParts(subject === undefined ? null : `#${subject}`, t(form.title)), MAX_TITLE_LENGTH),
    components: Object.entries(form.fields).flatMap(([name, field]) =>
      field.kind === 'kept'
        ? []
        : {
            type: ComponentType.Label as const,
            label: t(field.label),
            ...(field.hint === undefined ? {} : { description: t(field.hint) }),
            component: inputOf(name, field, filledIn(name, field), t),
          },
    ),
  };
}

function inputOf(name: string, field: ShownField, value: string | null, t: Translator): APIComponentInLabel {
  switch (field.kind) {
    case 'text':
      return {
        type: ComponentType.TextInput,
        custom_id: name,
        style: field.isMultiline ? TextInputStyle.Paragraph : TextInputStyle.Short,
        max_length: field.long ?? MAX_FIELD_LENGTH,
        ...(field.optional ? { required: false } : { min_length: 1 }),
        ...(value === null || value === '' ? {} : { value }),
      };
    case 'channel':
      return {
        type: ComponentType.ChannelSelect,
        custom_id: name,
        channel_types: [...TEXT_CHANNELS],
        ...(value === null
          ? {}
          : { default_values: [{ id: value, type: SelectMenuDefaultValueType.Channel }] }),
      };
    case 'role':
      return {
        type: ComponentType.RoleSelect,
        custom_id: name,
        ...(value === null ? {} : { default_values: [{ id: value, type: SelectMenuDefaultValueType.Role }] }),
      };
    case 'choice':
      return menuOf(name, field, value === null ? [] : [value], t);
    case 'several':
      return {
        ...menuOf(name, field, (value ?? '').split(' '), t),
        required: false,
        min_values: 0,
        max_values: Object.keys(field.choices).length,
      };
  }
}

function menuOf(
  name: string,
  { choices }: Extract<ShownField, { readonly choices: unknown }>,
  chosenValues: readonly string[],
  t: Translator,
): APIStringSelectComponent {
  return {
    type: ComponentType.StringSelect,
    custom_id: name,
    options: Object.entries(choices).map(([value, key]) => ({
      label: t(key),
      value,
      ...(chosenValues.includes(value) ? { default: true } : {}),
    })),
  };
}

/** A row with a button that opens a command's form. */
export function openButton(command: string, subject: string, label: string) {
  return {
    type: ComponentType.ActionRow as const,
    components: [
      {
        type: ComponentType.Button as const,
        style: ButtonStyle.Primary as const,
        label,
        custom_id: writeCustomId({ command, action: FORM_ACTION, subject }),
      },
    ],
  };
}
