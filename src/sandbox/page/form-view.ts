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
      several: component.type !== ComponentType.TextInput && component.max_values > 1,
      isMultiline: component.type === ComponentType.TextInput && component.style === TextInputStyle.Paragraph,
      choices: choicesOf(component, chat),
    })),
  };
}

/** Null for a text. */
function choicesOf(
  component: NonNullable<Outcome['form']>['components'][number]['component'],
  chat: ChatServer,
): FormView['fields'][number]['choices'] {
  switch (component.type) {
    case ComponentType.TextInput:
      return null;
    case ComponentType.StringSelect:
      return component.options.map(({ value, label }) => ({ value, label }));
    case ComponentType.RoleSelect:
      return chat.roles.map(({ id, name }) => ({ value: id, label: `@${name}` }));
    case ComponentType.ChannelSelect:
      return chat.channels
        .filter(({ type }) => component.channel_types?.includes(type) ?? true)
        .map(({ id, name }) => ({ value: id, label: `# ${name ?? id}` }));
  }
}
