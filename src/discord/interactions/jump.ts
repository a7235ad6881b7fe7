/** The window that asks for a page, and the page that it leads to. */
import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { pressed } from '../../app/action.ts';
import { UserError } from '../../base/errors.ts';
import { type Jump, readCustomId, readJumpId } from '../../cards/kit/custom-id.ts';
import type { Translator } from '../../i18n/translator.ts';
import { fieldsIn, type Interaction } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { type Asked, admit, overMessage, traitsOf } from './asked.ts';
import type { Opening } from './open-form.ts';

const FIELD = 'page';
/** Discord's limit for the choices of a menu. With more pages, the number is typed. */
const CHOICES = 25;

/** A press of a page's number; null for any other interaction. */
export function jumpOf(interaction: Interaction, commands: Commands): Opening | null {
  if (interaction.kind !== 'press' || interaction.raw.data.component_type !== ComponentType.Button)
    return null;
  const asked = asksFor(interaction, commands);
  if (asked === null) return null;
  return {
    name: asked.name,
    interaction,
    async window(context) {
      admit(asked.command, context);
      return jumpWindow(interaction.raw.data.custom_id, asked.jump, context.t);
    },
  };
}

function asksFor({ raw: { data } }: Interaction<'press' | 'submission'>, commands: Commands) {
  const id = readCustomId(data.custom_id);
  const jump = id === null ? null : readJumpId(id);
  const command = jump === null ? undefined : commands.get(jump.command);
  return jump === null || command === undefined ? null : { name: jump.command, command, jump };
}

/** A menu of all pages, or a field to type one into. */
function jumpWindow(
  customId: string,
  { page, pages }: Jump,
  t: Translator,
): APIModalInteractionResponseCallbackData {
  const component =
    pages > CHOICES
      ? {
          type: ComponentType.TextInput as const,
          custom_id: FIELD,
          style: TextInputStyle.Short,
          min_length: 1,
          max_length: 5,
        }
      : {
          type: ComponentType.StringSelect as const,
          custom_id: FIELD,
          options: Array.from({ length: pages }, (_, at) => ({
            label: t('card.page', { page: at + 1, pages }),
            value: String(at + 1),
            ...(at === page ? { default: true } : {}),
          })),
        };
  const hint = pages > CHOICES ? { description: t('card.jump.hint', { pages }) } : {};
  return {
    custom_id: customId,
    title: t('card.jump.title'),
    components: [{ type: ComponentType.Label, label: t('card.jump.page'), ...hint, component }],
  };
}

/** A page that was chosen or typed; null for another window. A page that there no longer is becomes the last one. */
export function readJump(interaction: Interaction<'submission'>, commands: Commands): Asked | null {
  const asked = asksFor(interaction, commands);
  if (asked === null) return null;
  const { name, command, jump } = asked;
  return {
    command: name,
    detail: { action: 'jump' },
    destination: overMessage(interaction),
    ...traitsOf(command),
    async run(context) {
      const { t } = context;
      const wanted = pageIn(interaction);
      if (wanted === null) throw new UserError(t('card.jump.wrong', { pages: jump.pages }));
      const run = pressed(command.actions ?? {}, jump.to(wanted), []);
      if (run === null) throw new UserError(t('discord.oldButton'));
      admit(command, context);
      return run(context);
    },
  };
}

/** From 0; null for what is no number. */
function pageIn(interaction: Interaction<'submission'>): number | null {
  const field = fieldsIn(interaction).find(({ custom_id }) => custom_id === FIELD);
  const given =
    field?.type === ComponentType.TextInput
      ? field.value
      : field?.type === ComponentType.StringSelect
        ? field.values[0]
        : undefined;
  const typed = /^\s*(\d{1,9})\s*$/.exec(given ?? '')?.[1];
  return typed === undefined ? null : Number(typed) - 1;
}
