/**
 * What Discord would refuse, by the sandbox's judge and by the schemas that Discord publishes: each knows rules that the other
 * does not.
 */

import type { APIEmbed, APIModalInteractionResponseCallbackData } from 'discord.js';
import * as spec from 'discord-api-spec/zod';
import type { ZodMiniType } from 'zod/mini';
import { readCustomId } from '../../src/cards/kit/custom-id.ts';
import { ApiError } from '../../src/sandbox/chat/api-error.ts';
import { readForm } from '../../src/sandbox/chat/judge/form.ts';
import { readMessageForm } from '../../src/sandbox/chat/judge/message-form.ts';
import { ModalForm } from '../../src/sandbox/chat/judge/modal-form.ts';
import { rowsOf } from './readable.ts';

interface Sent {
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly unknown[];
  readonly picture?: unknown;
}

function bySandbox(judge: () => unknown): readonly string[] {
  try {
    judge();
    return [];
  } catch (error) {
    if (error instanceof ApiError) return [JSON.stringify(error.body['errors'])];
    throw error;
  }
}

function bySchema(schema: ZodMiniType, body: unknown): readonly string[] {
  const judged = schema.safeParse(body);
  return judged.success ? [] : [JSON.stringify(judged.error.issues).slice(0, 1000)];
}

/** What is wrong with a message. Empty for one that Discord accepts, and whose every custom id can be read again. */
export function breaches({ content = '', embeds = [], components, picture }: Sent): readonly string[] {
  const body: unknown = JSON.parse(JSON.stringify({ content, embeds, components }));
  const ids = rowsOf({ components }).flatMap((row) => row.components.map(({ custom_id: id }) => id));
  const isEmpty = content === '' && embeds.length === 0 && picture === undefined;
  return [
    ...(isEmpty ? ['a message of components alone is an empty one'] : []),
    ...bySandbox(() => readMessageForm(body)),
    ...bySchema(spec.MessageCreateRequestSchema, body),
    ...ids.filter((id) => readCustomId(id) === null).map((id) => `custom id that nobody reads: ${id}`),
  ];
}

/** The same of a window with a form. */
export function windowBreaches(data: APIModalInteractionResponseCallbackData): readonly string[] {
  const callback = { type: 9, data };
  return [
    ...bySandbox(() => readForm(ModalForm, data)),
    ...bySchema(spec.ModalInteractionCallbackRequestSchema, callback),
  ];
}
