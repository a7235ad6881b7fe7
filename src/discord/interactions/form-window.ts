import {
  type APIComponentInLabel,
  type APIModalInteractionResponseCallbackData,
  ButtonStyle,
  ComponentType,
  SelectMenuDefaultValueType,
  TextInputStyle,
} from 'discord.js';
import { TEXT_CHANNELS } from '../../cards/kit/card.ts';
import { writeCustomId } from '../../cards/kit/custom-id.ts';
import { joinParts } from '../../cards/kit/lines.ts';
import {
  FORM_ACTION,
  type Form,
  isShown,
  type MenuChoices,
  maxLengthOf,
  type ShownField,
  type Values,
  valuesInSubject,
} from '../../command-kit/form.ts';
import type { Translator } from '../../i18n/translator.ts';
import { cutText } from '../../text/cut.ts';

/** Discord's limit for a title, in characters. */
const MAX_TITLE_LENGTH = 45;

/** Choices that Discord shows side by side at most; more of them are a menu. */
const MAX_SHOWN_CHOICES = 10;
/** Discord takes no group of fewer from which one is chosen. */
const MIN_RADIO_CHOICES = 2;

/** A form as Discord shows it. Its id holds what it began with, `values` is what is filled in by now. */
export function formWindow(
  command: string,
  form: Form,
  filling: {
    readonly initialValues: Partial<Values>;
    readonly values: Partial<Values>;
    readonly menus: Readonly<Record<string, MenuChoices>>;
    /** A menu of channels offers it. */
    readonly offers: (channelId: string) => boolean;
    /** The name of a channel as far as the interaction tells it. */
    readonly nameOf: (channelId: string) => string | null;
  },
  t: Translator,
): APIModalInteractionResponseCallbackData {
  const { initialValues, values, menus, offers, nameOf } = filling;
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
      isShown(field, initialValues)
        ? {
            type: ComponentType.Label as const,
            label: t(field.label),
            ...(field.hint === undefined ? {} : { description: t(field.hint) }),
            component:
              field.kind === 'menu'
                ? oneOf(name, markChosen(menus[name] ?? [], filledIn(name, field)))
                : inputOf(name, field, filledIn(name, field), t),
          }
        : [],
    ),
  };
}

function inputOf(
  name: string,
  field: Exclude<ShownField, { readonly kind: 'menu' }>,
  value: string | null,
  t: Translator,
): APIComponentInLabel {
  switch (field.kind) {
    case 'text':
      return {
        type: ComponentType.TextInput,
        custom_id: name,
        style: field.isMultiline ? TextInputStyle.Paragraph : TextInputStyle.Short,
        max_length: maxLengthOf(field),
        ...(field.optional ? { required: false } : { min_length: 1 }),
        ...(value === null || value === '' ? {} : { value }),
      };
    case 'channel':
      return {
        type: ComponentType.ChannelSelect,
        custom_id: name,
        channel_types: [...TEXT_CHANNELS],
        ...optionalMenu(field),
        ...(value === null || value === ''
          ? {}
          : { default_values: [{ id: value, type: SelectMenuDefaultValueType.Channel }] }),
      };
    case 'role':
      return {
        type: ComponentType.RoleSelect,
        custom_id: name,
        ...optionalMenu(field),
        ...(value === null || value === ''
          ? {}
          : { default_values: [{ id: value, type: SelectMenuDefaultValueType.Role }] }),
      };
    case 'choice':
      return oneOf(name, markChosen(labelled(field, t), value));
    case 'several': {
      const options = markChosen(labelled(field, t), value);
      const isMenu = options.length > MAX_SHOWN_CHOICES;
      const type = isMenu ? ComponentType.StringSelect : ComponentType.CheckboxGroup;
      return {
        type,
        custom_id: name,
        options: [...options],
        required: false,
        min_values: 0,
        max_values: options.length,
      };
    }
  }
}

type Options = readonly (MenuChoices[number] & { readonly description?: string; readonly default?: true })[];

/** One of the choices: a group that shows all of them, or a menu of many. */
function oneOf(name: string, options: Options): APIComponentInLabel {
  const isMenu = options.length < MIN_RADIO_CHOICES || options.length > MAX_SHOWN_CHOICES;
  const type = isMenu ? ComponentType.StringSelect : ComponentType.RadioGroup;
  return { type, custom_id: name, options: [...options] };
}

function labelled(
  { choices, explanations = {} }: Extract<ShownField, { readonly choices: unknown }>,
  t: Translator,
): Options {
  return Object.entries(choices).map(([value, key]) => ({
    label: t(key),
    value,
    ...(explanations[value] === undefined ? {} : { description: t(explanations[value]) }),
  }));
}

/** Marks the chosen ones. `values`: with spaces between them; null: none. */
function markChosen(choices: Options, values: string | null): Options {
  const chosenValues = (values ?? '').split(' ');
  return choices.map((choice) =>
    chosenValues.includes(choice.value) ? { ...choice, default: true } : choice,
  );
}

const optionalMenu = ({ optional = false }: { readonly optional?: boolean }) =>
  optional ? { required: false, min_values: 0 } : {};

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
