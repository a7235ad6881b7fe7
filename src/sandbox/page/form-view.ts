import { ComponentType, TextInputStyle } from 'discord.js';
import type { ChatServer } from '../chat/chat-server.ts';
import { startingValues } from '../chat/visitor/submitted-form.ts';
import type { Outcome } from '../chat/visitor/visitor.ts';
import type { FormView, OutcomeView } from './protocol.ts';

/** The outcome of an interaction, with the form that it opens. */
export function viewOfOutcome({ acknowledged, interactionId, form }: Outcome, chat: ChatServer): OutcomeView {
  return { acknowledged, form: form === null ? null : viewOfForm(interactionId, form, chat) };
}

function viewOfForm(
  interactionId: string,
  { title, components }: NonNullable<Outcome['form']>,
  chat: ChatServer,
): FormView {
  return {
    interactionId,
    title,
    fields: components.map(({ label, description = '', component }) => ({
      id: component.custom_id,
      label,
      hint: description,
      values: startingValues(component),
      required: component.required,
      look: lookOf(component),
      choices: choicesOf(component, chat),
    })),
  };
}

type Component = NonNullable<Outcome['form']>['components'][number]['component'];
type Field = FormView['fields'][number];

function lookOf(component: Component): Field['look'] {
  switch (component.type) {
    case ComponentType.TextInput:
      return component.style === TextInputStyle.Paragraph ? 'paragraph' : 'line';
    case ComponentType.RadioGroup:
      return 'radios';
    case ComponentType.CheckboxGroup:
      return 'boxes';
    case ComponentType.Checkbox:
      return 'box';
    default:
      return component.max_values > 1 ? 'boxes' : 'menu';
  }
}

function choicesOf(component: Component, chat: ChatServer): Field['choices'] {
  switch (component.type) {
    case ComponentType.TextInput:
    case ComponentType.Checkbox:
      return [];
    case ComponentType.StringSelect:
    case ComponentType.RadioGroup:
    case ComponentType.CheckboxGroup:
      return component.options.map(({ value, label, description = '' }) => ({
        value,
        label,
        hint: description,
      }));
    case ComponentType.RoleSelect:
      return chat.roles.map(({ id, name }) => ({ value: id, label: `@${name}`, hint: '' }));
    case ComponentType.ChannelSelect:
      return chat.channels
        .filter(({ type }) => component.channel_types?.includes(type) ?? true)
        .map(({ id, name }) => ({ value: id, label: `# ${name ?? id}`, hint: '' }));
  }
}
