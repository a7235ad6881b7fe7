/**
 * What every command, form and button answers to one reader, in situations where all is well and where it is not. Throws for a
 * button or a menu that leads nowhere.
 */
import { type APIModalInteractionResponseCallbackData, ComponentType } from 'discord.js';
import { ServiceError, UserError } from '../../src/base/errors.ts';
import { buttonRow } from '../../src/cards/kit/card.ts';
import { readCustomId } from '../../src/cards/kit/custom-id.ts';
import { findPressedAction } from '../../src/command-kit/action.ts';
import type { AnyCommand, Invocable } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { FORM_ACTION, type Form, type Values } from '../../src/command-kit/form.ts';
import type { Option, Options } from '../../src/command-kit/option.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { findForm } from '../../src/discord/interactions/args.ts';
import { formWindow } from '../../src/discord/interactions/form-window.ts';
import { addOwnParts, addShareButton } from '../../src/discord/interactions/share.ts';
import { type Commands, listFacts } from '../../src/discord/publish/load.ts';
import { faultMessage } from '../../src/i18n/fault-message.ts';
import type { Translator } from '../../src/i18n/translator.ts';
import { rowsOf } from './readable.ts';
import { NOON } from './records.ts';
import { type Situation, situations } from './situations.ts';

/** `what`: the same in every language. */
export type Answered =
  | { readonly what: string; readonly reply: Reply }
  | { readonly what: string; readonly window: APIModalInteractionResponseCallbackData };

type TranslatorFor = (locale: string) => Translator;

export async function everyAnswer(
  commands: Commands,
  locale: string,
  translatorFor: TranslatorFor,
  among = situations,
): Promise<readonly Answered[]> {
  const all = await Promise.all(
    among.map((situation) => {
      const context = situation.contextOf(translatorFor(locale), {
        translatorFor,
        commands: listFacts(commands),
      });
      return answersIn(situation, commands, context);
    }),
  );
  return all.flat();
}

async function answersIn(
  situation: Situation,
  commands: Commands,
  context: Context,
): Promise<readonly Answered[]> {
  const found = new Map<string, Answered>();

  async function answer(asked: string, run: () => Promise<Reply>): Promise<void> {
    const what = `${situation.name}: ${asked}`;
    if (found.has(what)) return;
    const reply = addOwnParts(addShareButton(await worded(run, context.t), context.t));
    found.set(what, { what, reply });
    for (const control of rowsOf(reply).flatMap(({ components }) =>
      components.filter((each) => !each.disabled),
    ))
      await follow(control.custom_id, valuesOf(control));
  }

  async function follow(customId: string, values: readonly string[]): Promise<void> {
    const id = readCustomId(customId);
    const command = id === null ? undefined : commands.get(id.command);
    const owned = id?.action === FORM_ACTION ? findForm(commands, id.command) : null;
    if (id !== null && owned !== null) return fill(id.command, owned.form);
    const run = id === null ? null : findPressedAction(command?.actions ?? {}, id, values);
    if (id === null || run === null)
      throw new Error(`${customId} leads nowhere: its command has no such action`);
    // Refreshed or shared, a view says the same.
    if (!id.refresh && !id.share) await answer(customId.replace(WATCH_ID, 'an alert'), () => run(context));
  }

  async function fill(name: string, form: Form): Promise<void> {
    const what = `${situation.name}: form of ${name}`;
    if (found.has(what)) return;
    let begun: Partial<Values> = {};
    try {
      begun = await form.begin(context, {});
    } catch (error) {
      // Refused before it opens: its command says the same.
      if (error instanceof UserError) return;
      throw error;
    }
    found.set(what, {
      what,
      window: formWindow(
        name,
        form,
        {
          initialValues: begun,
          values: begun,
          menus: form.menus?.(begun, context) ?? {},
          offers: () => true,
          nameOf: () => null,
        },
        context.t,
      ),
    });
    const values = Object.fromEntries(
      Object.entries(form.fields).map(([field, { kind }]) => [
        field,
        // A channel of the situation has a shorter id than Discord's, which no button takes.
        kind === 'channel' ? CHANNEL : (begun[field] ?? typed[field] ?? (kind === 'kept' ? CHANNEL : '')),
      ]),
    );
    await answer(`filled in ${name}`, () => form.submit(values, context, begun));
  }

  for (const [name, command] of commands) {
    if (command.userMenu !== undefined)
      await answer(`menu of ${name}`, async () => command.userMenu?.run('5', context) ?? {});
    for (const [called, invocable] of invocables(name, command)) {
      if (invocable.form !== undefined) await fill(called, invocable.form);
      for (const [index, args] of argumentsOf(invocable.options).entries())
        await answer(`/${called} ${index}`, () => invocable.run(args, context));
    }
    if ('form' in command && command.form !== undefined) await fill(name, command.form);
  }
  return [...found.values()];
}

/** Ids of new alerts are drawn by lot. */
const WATCH_ID = /(?<=:watch:(?:stop|snooze|remove-\d+):.*)\b[0-9a-z]{6}$/;

/** The first choice of a menu; empty for a button. */
function valuesOf({ type, options = [] }: ReturnType<typeof rowsOf>[number]['components'][number]) {
  if (type === ComponentType.ChannelSelect) return [CHANNEL];
  return options.slice(0, 1).map(({ value }) => value);
}

function invocables(
  name: string,
  command: AnyCommand,
): readonly (readonly [called: string, invocable: Invocable])[] {
  if ('run' in command) return [[name, command]];
  if (!('subcommands' in command)) return [];
  return Object.entries(command.subcommands).map(([sub, invocable]) => [`${name} ${sub}`, invocable]);
}

const CHANNEL = '123456789012345678';

/** What is typed into the options with free text. */
const typed: Readonly<Record<string, string>> = {
  ...{ player: 'k3nny', a: 'k3nny', b: 'mad_max', vin: 'AB12C' },
  ...{ timezone: 'Asia/Kolkata', servers: 'one, events' },
};

type Given = Readonly<Record<string, string | number | boolean | null>>;

/** With what is required alone; and with everything, once for each choice. */
function argumentsOf(options: Options): readonly Given[] {
  const list = Object.entries(options);
  const most = Math.max(
    1,
    ...list.map(([, option]) => (option.kind === 'choice' ? Object.keys(option.choices).length : 1)),
  );
  const least = list.map(([name, option]) => [name, option.required ? sampleOf(name, option, 0) : null]);
  const full = Array.from({ length: most }, (_, nth) =>
    list.map(([name, option]) => [name, sampleOf(name, option, nth)]),
  );
  return [least, ...full].map((entries) => Object.fromEntries(entries));
}

function sampleOf(name: string, option: Option, nth: number): string | number | boolean {
  switch (option.kind) {
    case 'text':
      return option.schema.parse(typed[name] ?? name);
    case 'choice': {
      const choices = Object.keys(option.choices);
      return choices[nth % choices.length] ?? '';
    }
    case 'count':
      return option.min;
    case 'flag':
      return true;
    default:
      return CHANNEL;
  }
}

/** A refusal in the words that the person gets. */
async function worded(run: () => Promise<Reply>, t: Translator): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UserError) {
      const { message: content, nextStep } = error;
      return nextStep === null ? { content } : { content, components: [buttonRow(nextStep)] };
    }
    if (error instanceof ServiceError) return { content: faultMessage(error, t, NOON) };
    throw error;
  }
}
