import { setTimeout as pause } from 'node:timers/promises';
import type { Interaction } from 'discord.js';
import { within } from '../clock.ts';
import type { Translator } from '../i18n/translator.ts';
import { type AnswerParts, createAnswer } from './answer.ts';
import { readCommand, readPress, readUserMenu, userMenusOf } from './asked.ts';
import { createAutocomplete } from './autocomplete.ts';
import type { Commands } from './load.ts';

export interface DispatchParts extends AnswerParts {
  readonly commands: Commands;
  /** Menus come back by their English names. */
  readonly translatorFor: (locale: string) => Translator;
  /**
   * Where several processes are told of the same interaction: whether this one answers it. May reject; an interaction is
   * then rather answered by two, of whom Discord hears one, than by none.
   */
  readonly claimInteraction?: ((interactionId: string) => Promise<boolean>) | null;
}

export interface Dispatch {
  /** Takes an interaction and answers it. Never throws. */
  handle(interaction: Interaction): void;
  /**
   * From now on nothing new is begun. Resolves when what runs has been answered; what takes longer than that
   * many milliseconds is told to try again.
   */
  drain(patience: number): Promise<void>;
}

/** For the last words to those who are told to try again. */
const GOODBYE = 1000;
/** For another process to take an interaction from one that is stopping. */
const COURTESY = 200;

/** Interaction → Reply: sorts interactions by their kind, and keeps account of those that are being answered. */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { commands, translatorFor, log, claimInteraction = null } = parts;
  const { answer, refuseNew, stopAll } = createAnswer(parts);
  const complete = createAutocomplete(parts);
  const menus = userMenusOf(commands, translatorFor('en'));
  const running = new Set<Promise<void>>();
  let stopping = false;

  async function isTaken({ id }: Interaction): Promise<boolean> {
    if (claimInteraction === null) return false;
    // One that need not send people away goes first.
    if (stopping) await pause(COURTESY);
    try {
      return !(await claimInteraction(id));
    } catch {
      return false;
    }
  }

  async function route(interaction: Interaction): Promise<void> {
    if (await isTaken(interaction)) return;
    if (interaction.isAutocomplete()) await complete(interaction);
    else if (interaction.isChatInputCommand()) await answer(readCommand(interaction, commands));
    else if (interaction.isUserContextMenuCommand()) await answer(readUserMenu(interaction, menus));
    else if (interaction.isMessageComponent()) await answer(readPress(interaction, commands));
    else log.warn({ type: interaction.type }, 'unknown kind of interaction');
  }

  return {
    handle(interaction) {
      const handled: Promise<void> = route(interaction)
        .catch((error: unknown) => log.warn({ err: error }, 'interaction not answered'))
        .finally(() => running.delete(handled));
      running.add(handled);
    },
    async drain(patience) {
      stopping = true;
      refuseNew();
      await within(Promise.all(running), patience);
      stopAll();
      await within(Promise.all(running), GOODBYE);
    },
  };
}
