import {
  type APIComponentInLabel,
  type APIModalInteractionResponseCallbackData,
  ButtonStyle,
  ChannelType,
  ComponentType,
  SelectMenuDefaultValueType,
} from 'discord.js';
import { type Field, FORM_ACTION, type Form, type Values, valuesInSubject } from '../app/form.ts';
import { writeCustomId } from '../cards/kit/custom-id.ts';
import type { Translator } from '../i18n/translator.ts';

/** Where boards can be. */
const TEXT_CHANNELS = [ChannelType.GuildText, ChannelType.GuildAnnouncement];

/** A form as Discord shows it. Its id holds what it began with, `values` is what is filled in by now. */
export function formWindow(
  command: string,
  form: Form,
  { begun, values }: { readonly begun: Partial<Values>; readonly values: Partial<Values> },
  t: Translator,
): APIModalInteractionResponseCallbackData {
  return {
    custom_id: writeCustomId({ command, action: FORM_ACTION, subject: valuesInSubject(form, begun) }),
    title: t(form.title),
    components: Object.entries(form.fields).map(([name, field]) => ({
      type: ComponentType.Label,
      label: t(field.label),
      ...(field.hint === undefined ? {} : { description: t(field.hint) }),
      component: inputOf(name, field, values[name] ?? null, t),
    })),
  };
}

function inputOf(name: string, field: Field, value: string | null, t: Translator): APIComponentInLabel {
  switch (field.kind) {
    case 'channel':
      return {
        type: ComponentType.ChannelSelect,
        custom_id: name,
        channel_types: TEXT_CHANNELS,
        ...(value === null
          ? {}
          : { default_values: [{ id: value, type: SelectMenuDefaultValueType.Channel }] }),
      };
    case 'choice':
      return {
        type: ComponentType.StringSelect,
        custom_id: name,
        options: Object.entries(field.choices).map(([choice, key]) => ({
          ...{ label: t(key), value: choice },
          ...(choice === value ? { default: true } : {}),
        })),
      };
  }
}

/** The button that opens the form again with these values. */
export function againButton(command: string, form: Form, values: Values, t: Translator) {
  return openButton(command, valuesInSubject(form, values), t('setup.again'));
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
