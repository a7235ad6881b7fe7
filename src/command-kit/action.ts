import { z } from 'zod';
import type { CustomId } from '../cards/kit/custom-id.ts';
import { readJumpId, withPages } from '../cards/kit/paging.ts';
import type { Context } from './context.ts';
import type { Reply } from './reply.ts';

/** One action of a command's buttons and menus. */
interface Action<State = unknown> {
  /**
   * Parses a press for `run`, which is untrusted input: `number` and `subject` of the custom id, and the choice of a menu as
   * `value`; null for what there is not. A press that it rejects was not written by this version.
   */
  readonly press: z.ZodType<State>;
  /** A method, so that all kinds of actions fit one table; the schema beside it ensures the type. */
  run(state: State, context: Context): Promise<Reply>;
}

/** Actions by their name in the custom id. A refresh without a name runs the first action. */
export type Actions = Readonly<Record<string, Action>>;

/** Lets an action infer its state's type from its schema. */
export function defineAction<State>(action: Action<State>): Action {
  return action;
}

/** An action that needs nothing from its press. */
export function onPress(run: (context: Context) => Promise<Reply>): Action {
  return { press: z.unknown(), run: (_press, context) => run(context) };
}

/** An action that needs only what its button is about. */
export function onSubject<Subject>(
  subject: z.ZodType<Subject>,
  run: (subject: Subject, context: Context) => Promise<Reply>,
): Action {
  return defineAction({ press: z.object({ subject }), run: (press, context) => run(press.subject, context) });
}

/** An action on what its button is about, or on the choice in a menu. */
export function onSubjectOrChoice<Subject>(
  subject: z.ZodType<Subject>,
  run: (subject: Subject, context: Context) => Promise<Reply>,
): Action {
  const press = z.union([
    z.object({ value: subject }).transform(({ value }) => value),
    z.object({ subject }).transform((button) => button.subject),
  ]);
  return defineAction({ press, run });
}

/** An id of Discord: of a channel or a role. */
export const DiscordId = z.string().regex(/^\d{15,20}$/);

/** A page of a list, from 0. */
export const PageNumber = z.int().nonnegative();

/** The action of a press; null for a button that this version never wrote. */
export function findPressedAction(
  actions: Actions,
  id: Pick<CustomId, 'action' | 'number' | 'subject'>,
  values: readonly string[],
): ((context: Context) => Promise<Reply>) | null {
  const jump = readJumpId(id);
  if (jump !== null) {
    const [chosenPage] = values;
    const number = chosenPage === undefined ? jump.page : Number(chosenPage);
    const show = findPressedAction(actions, { ...jump.show, number }, []);
    // A page's number has a menu of pages follow in its row, a choice of which shows that page.
    if (show === null || chosenPage !== undefined) return show;
    return async (context) => {
      const reply = await show(context);
      return { ...reply, components: withPages(reply.components ?? [], context.t) };
    };
  }
  const name = id.action === '' ? Object.keys(actions)[0] : id.action;
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  const press = { number: id.number ?? null, subject: id.subject, value: values[0] ?? null };
  const state = action?.press.safeParse(press);
  return action !== undefined && state?.success ? (context) => action.run(state.data, context) : null;
}
