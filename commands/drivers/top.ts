import { z } from 'zod';
import { answerOwnHidden } from '../../src/command-kit/about-player.ts';
import { defineAction, onSubject, PageNumber } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { runForDriverOf } from '../../src/command-kit/for-driver.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { topSpans, topSubjects } from '../../src/community/history/history.ts';
import { ownRank, type TopView, topCard } from './cards/top-card.ts';

const Subject = z.enum(topSubjects);

/** Subject and span in a button's id: `distance.week`. */
const Key = z
  .string()
  .transform((key) => key.split('.'))
  .pipe(z.tuple([Subject, z.enum(topSpans)]))
  .transform(([subject, span]) => ({ subject, span }));

const PressedView = z.object({ subject: Key, number: PageNumber.nullable() });

const showAgain = defineAction({
  press: PressedView,
  run: ({ subject: view, number }, context) => show({ ...view, page: number ?? 0 }, context),
});

export default defineCommand({
  description: 'top.description',
  topic: 'drivers',
  visibility: 'choice',
  showsDistances: true,
  options: {
    by: {
      kind: 'choice',
      description: 'top.options.by',
      required: false,
      choices: {
        playtime: 'top.what.playtime',
        distance: 'top.what.distance',
        chases: 'top.what.chases',
        money: 'top.what.money',
        police: 'top.what.police',
      },
    },
    span: {
      kind: 'choice',
      description: 'top.options.span',
      required: false,
      choices: { week: 'top.span.week', month: 'top.span.month', all: 'top.span.all' },
    },
  },

  run: ({ by, span }, context) => show({ subject: by ?? 'playtime', span: span ?? 'week', page: 0 }, context),

  actions: {
    show: showAgain,
    page: showAgain,
    span: showAgain,
    what: defineAction({
      press: z.object({ subject: Key, value: Subject }),
      run: ({ subject: { span }, value }, context) => show({ subject: value, span, page: 0 }, context),
    }),
    mine: onSubject(Key, mine),
  },
});

async function show(view: TopView, { history, recentNames, now, t }: Context): Promise<Reply> {
  const [list, names] = await Promise.all([history.top(view.subject, view.span), history.namesDrivers()]);
  return topCard(list, view, { names, now, nicknameOf: recentNames.nicknameOf }, t);
}

async function mine({ subject, span }: Omit<TopView, 'page'>, context: Context): Promise<Reply> {
  const { history, recentNames, person, t } = context;
  return runForDriverOf(person.id, context, async (driver) => {
    const [list, ownHidden] = await Promise.all([
      history.top(subject, span),
      answerOwnHidden(driver, context),
    ]);
    if (ownHidden !== null) return ownHidden;
    return { ephemeral: true, content: ownRank(list, driver, subject, recentNames.nicknameOf, t) };
  });
}
