import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  type APIEmbed,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import type { Translator } from '../../i18n/translator.ts';
import { type CustomId, writeCustomId } from './custom-id.ts';

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** A record as shown in Discord: one embed, and the components below it. */
export interface Card {
  readonly embeds: readonly [APIEmbed];
  readonly components: readonly Row[];
}

export interface Button extends CustomId {
  readonly label: string;
  readonly emoji?: string;
  /** Marks the current view; it cannot be pressed. */
  readonly here?: boolean;
  readonly disabled?: boolean;
  /** Its action cannot be undone. */
  readonly danger?: boolean;
}

/** Shows the same view with a newer record. */
export function refreshButton(id: CustomId, t: Translator): Button {
  return { ...id, refresh: true, label: t('card.refresh'), emoji: '🔄' };
}

/** At most five. */
export function buttons(...row: readonly Button[]): Row {
  return {
    type: ComponentType.ActionRow,
    components: row.map((button) => {
      const { label, emoji, here = false, disabled = false, danger = false } = button;
      return {
        type: ComponentType.Button,
        style: here ? ButtonStyle.Primary : danger ? ButtonStyle.Danger : ButtonStyle.Secondary,
        label,
        custom_id: writeCustomId(button),
        disabled: here || disabled,
        ...(emoji === undefined ? {} : { emoji: { name: emoji } }),
      };
    }),
  };
}

interface Choice {
  /** Plain text, at most 100 characters, like the others. */
  readonly label: string;
  readonly description: string;
  readonly value: string;
  /** Marks the current choice. */
  readonly here?: boolean;
}

/** One to 25 choices, each value once. */
export function menu(id: CustomId, placeholder: string, choices: readonly Choice[]): Row {
  return {
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.StringSelect,
        custom_id: writeCustomId(id),
        placeholder,
        options: choices.map(({ label, value, description, here = false }) => ({
          label,
          value,
          ...(description === '' ? {} : { description }),
          ...(here ? { default: true } : {}),
        })),
      },
    ],
  };
}
