import { z } from 'zod';
import type { CustomId } from '../cards/kit/custom-id.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';

/** A press of a button, or a choice in a menu, of one of a command's own messages. It comes from outside. */
export interface Press {
  /** From the custom id; null where it holds none. */
  readonly number: number | null;
  readonly subject: string;
  /** What was picked in a menu; null for a button. */
  readonly value: string | null;
}

/** One thing that a command's buttons and menus do. */
export interface Action<State = unknown> {
  /** Makes of a press what `run` needs. What it refuses was not written by this version. */
  readonly press: z.ZodType<State>;
  /** A method, so that actions of every kind fit one table: a press is read by the schema beside it. */
  run(state: State, context: Context): Promise<Reply>;
}

/** By the name that stands in the custom id. A refresh that names none is for the first. */
export type Actions = Readonly<Record<string, Action>>;

/** Lets an action infer what it gets from its own schema. */
export function defineAction<State>(action: Action<State>): Action {
  return action;
}

/** For an action that needs nothing from its press. */
export const anyPress = z.unknown();

/** A page of a list, from 0. */
export const PageNumber = z.int().nonnegative();

/** What a press asks for; null where this version has written no such button. */
export function pressed(
  actions: Actions,
  id: Pick<CustomId, 'action' | 'number' | 'subject'>,
  values: readonly string[],
): ((context: Context) => Promise<Reply>) | null {
  const name = id.action === '' ? Object.keys(actions)[0] : id.action;
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  const press: Press = { number: id.number ?? null, subject: id.subject, value: values[0] ?? null };
  const state = action?.press.safeParse(press);
  return action !== undefined && state?.success ? (context) => action.run(state.data, context) : null;
}
