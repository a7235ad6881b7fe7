import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { type Context, hasPermission } from '../../app/context.ts';
import { FORM_ACTION, type Form, type Values, valuesFromSubject } from '../../app/form.ts';
import { within } from '../../base/clock.ts';
import { readCustomId } from '../../cards/kit/custom-id.ts';
import { TEXT_CHANNELS } from '../gateway/guilds.ts';
import type { Interaction } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { formOf, type OwnedForm, personOf, type Typed, typedIn } from './args.ts';
import { admit } from './asked.ts';
import { formWindow } from './form-window.ts';

/** An interaction that asks for a window to fill in, which has to be the first answer to it. */
export interface Opening {
  /** The command's. */
  readonly name: string;
  readonly interaction: Interaction<'command' | 'press'>;
  /** Throws a UserError for a person who may not use it. */
  window(context: Context): Promise<APIModalInteractionResponseCallbackData>;
}

/** Null for an interaction that asks for no form. */
export function openingOf(interaction: Interaction, commands: Commands): Opening | null {
  if (interaction.kind === 'command') {
    const { data } = interaction.raw;
    const typed = typedIn(data);
    const called = typed.subcommand === null ? data.name : `${data.name} ${typed.subcommand}`;
    const owned = formOf(commands, called);
    const given = owned === null ? null : givenFor(owned.form, typed);
    if (owned === null || given === null || !mayFillIn(owned.form, interaction)) return null;
    const begin = (context: Context) => owned.form.begin(context, given);
    return {
      name: owned.name,
      interaction,
      window: (context) => filledIn({ called, begin, interaction }, owned, context),
    };
  }
  if (interaction.kind !== 'press') return null;
  const id = readCustomId(interaction.raw.data.custom_id);
  const owned = id?.action === FORM_ACTION ? formOf(commands, id.command) : null;
  if (id === null || owned === null) return null;
  const values = valuesFromSubject(owned.form, id.subject);
  const begin = (context: Context) => owned.form.begin(context, values);
  const opened = { called: id.command, begin, values, interaction };
  return { name: owned.name, interaction, window: (context) => filledIn(opened, owned, context) };
}

/** What was typed beside the command itself, if that only says what the form is about; null for more. */
function givenFor({ about = [] }: Form, { options }: Typed): Readonly<Record<string, string>> | null {
  const typed = [...options.values()];
  if (!typed.every(({ name }) => about.includes(name))) return null;
  return Object.fromEntries(typed.map(({ name, value }) => [name, String(value)]));
}

/** Anyone else gets the command's own answer, which there is for everyone. */
function mayFillIn({ permission }: Form, interaction: Interaction<'command'>): boolean {
  return permission === undefined || hasPermission(personOf(interaction), permission);
}

/** How long the values to begin with may take, in ms. */
const PATIENCE = 1000;

/** `called`: as in custom ids, `settings` or `board edit`. `values`: what the person had filled in before. */
async function filledIn(
  {
    called,
    begin,
    values = {},
    interaction,
  }: {
    readonly called: string;
    readonly interaction: Opening['interaction'];
    readonly begin: (context: Context) => Promise<Partial<Values>>;
    readonly values?: Partial<Values>;
  },
  { command, form }: OwnedForm,
  context: Context,
): Promise<APIModalInteractionResponseCallbackData> {
  admit(command, context);
  admit(form, context);
  const begun = (await within(begin(context), PATIENCE)) ?? {};
  const offers = (channelId: string): boolean => isOffered(interaction, channelId);
  const nameOf = (channelId: string) => channelName(interaction, channelId);
  return formWindow(called, form, { begun, values: { ...begun, ...values }, offers, nameOf }, context.t);
}

/** Of the channel that was named, or of the one where it was asked. */
function channelName({ raw: { channel, data } }: Opening['interaction'], channelId: string): string | null {
  const channels = 'resolved' in data ? data.resolved : undefined;
  const named = channels !== undefined && 'channels' in channels ? channels.channels?.[channelId] : undefined;
  return named?.name ?? (channel.id === channelId && 'name' in channel ? (channel.name ?? null) : null);
}

/** Whether a menu of channels offers it: no voice channel, no thread, and none that is gone. */
function isOffered({ guild }: Interaction, channelId: string): boolean {
  const type = guild?.channels.get(channelId)?.type;
  return TEXT_CHANNELS.some((each) => each === type);
}
