/** Guilds with posts of the community, their store and Discord, and the processes that post. */

import { createCommunityPosts } from '../../../../commands/recap/jobs/post.ts';
import { createPostNotices } from '../../../../commands/recap/jobs/post-maker.ts';
import { carryDigests } from '../../../../commands/recap/models/carry-digests.ts';
import type { PostKind } from '../../../../commands/recap/models/post-time.ts';
import { createRecapRepository } from '../../../../commands/recap/models/stored.ts';
import { DAY, HOUR } from '../../../../src/base/duration.ts';
import type { Access } from '../../../../src/cards/board/board.ts';
import { createGuildSettings } from '../../../../src/community/accounts/guild-settings.ts';
import type { Stretch, TopRow } from '../../../../src/community/history/history.ts';
import type { SendOutcome } from '../../../../src/messages/outbox/message.ts';
import type { Documents } from '../../../../src/store/documents.ts';
import type { VirtualTime } from '../../../sim/virtual-time.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { outboxOver } from '../../../support/messages.ts';
import { countsOf } from '../../../support/past.ts';
import { createTranslators } from '../../../support/translators.ts';

export const GUILD = '100';
/** The person who turns the posts on. */
export const MAKER = '281474976710657001';

class Killed extends Error {}

/** `untilKill`: how often more is written or sent until the process is killed. */
export function guildsInMemory(time: VirtualTime, untilKill = Number.POSITIVE_INFINITY) {
  return {
    time,
    documents: documentsInMemory(time.clock.now),
    posted: [] as { readonly channel: string; readonly title: string; readonly text: string }[],
    /** Direct messages to people. */
    notices: [] as { readonly to: string; readonly content: string }[],
    /** Discord's next answers; after the last one, every message is sent. */
    outcomes: [] as SendOutcome[],
    access: (_guild: string): Access => ({ kind: 'open' }),
    /** Days of the period of which nothing is known. */
    unknownDays: 0,
    /** Periods that were computed. */
    computed: 0,
    /** The most that were under way at once. */
    atOnce: 0,
    hidden: new Set<string>(),
    /** The process is responsible for the guild. */
    isHeld: true,
    /** Spans of the figures that were computed. */
    spans: [] as Stretch[],
    /** Done while the figures are computed. */
    duringCounts: async (): Promise<unknown> => null,
    /** Done once the claim of a message is stored, before it is sent. */
    afterClaim: (): void => {},
    /** Done while Discord has the message. */
    duringPost: async (): Promise<unknown> => null,
    untilKill,
  };
}

export type Guilds = ReturnType<typeof guildsInMemory>;

const rowOf = (driver: string, index: number): TopRow => ({
  ...{ rank: index + 1, driver, value: HOUR * (9 - index), read: null },
});

export function startProcess(guilds: Guilds) {
  const { time } = guilds;
  let isDead = false;
  let underWay = 0;
  function step(): void {
    if (guilds.untilKill === 0) isDead = true;
    guilds.untilKill -= 1;
    if (isDead) throw new Killed();
  }
  const { commit, ...others } = guilds.documents;
  const documents: Documents = {
    ...others,
    async commit(...writes) {
      step();
      const isDone = await commit(...writes);
      if (JSON.stringify(writes).includes('"deliveries"')) guilds.afterClaim();
      step();
      return isDone;
    },
  };
  const runs: Promise<void>[] = [];
  const { outbox, runs: noticeRuns } = outboxOver(
    async (to) => ({
      async post({ content, embeds, components }) {
        step();
        if (to.kind === 'direct') {
          guilds.notices.push({ to: to.personId, content });
          step();
          return 'sent';
        }
        await guilds.duringPost();
        const outcome = guilds.outcomes.shift() ?? 'sent';
        const text = JSON.stringify([content, embeds, components]);
        if (outcome === 'sent' || outcome === 'perhaps-sent')
          guilds.posted.push({
            channel: to.kind === 'channel' ? to.channelId : '',
            title: (/Our [^"*]*/.exec(text)?.[0] ?? '').replaceAll('\\', ''),
            text,
          });
        step();
        return outcome;
      },
    }),
    { clock: time.clock, documents },
  );
  const repository = createRecapRepository(documents);
  const shown = (): readonly string[] => ['ann', 'bob'].filter((driver) => !guilds.hidden.has(driver));
  const posts = createCommunityPosts({
    repository,
    notices: createPostNotices({ documents, outbox, translatorFor: createTranslators() }),
    settingsOf: createGuildSettings(documents).of,
    history: {
      async counts(_place, { from, to }) {
        underWay += 1;
        guilds.atOnce = Math.max(guilds.atOnce, underWay);
        guilds.spans.push({ from, to });
        await guilds.duringCounts();
        underWay -= 1;
        return countsOf({ from: from + guilds.unknownDays * DAY, to }, { step: HOUR });
      },
      playtime: async () => shown().map(rowOf),
      async top() {
        guilds.computed += 1;
        return { since: 0, until: null, holes: [], from: 0, rows: shown().map(rowOf) };
      },
    },
    outbox,
    access: guilds.access,
    holds: () => guilds.isHeld,
    translatorFor: createTranslators(),
    nicknameOf: () => null,
    isHidden: (driver) => guilds.hidden.has(driver),
    draw: async () => null,
    clock: time.clock,
    runs: { start: (_key, work) => void runs.push(work()) },
  });
  /** Resolves with whether the process is alive afterwards. */
  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      await Promise.all(runs.splice(0));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    return !isDead;
  }
  const choiceOf = (channel: string, kinds: readonly PostKind[]) => ({
    ...{ channel, isWeekly: kinds.includes('week'), isMonthly: kinds.includes('month') },
  });
  return {
    posts,
    repository,
    attempt,
    /** Presses *Post from now on*, and waits for what is posted at once. */
    begin: (channel: string, kinds: readonly PostKind[] = ['month'], guild = GUILD) =>
      attempt(() => posts.begin(guild, choiceOf(channel, kinds), { id: MAKER, locale: 'en-GB' })),
    choose: (guild: string, channel: string | null, kinds: readonly PostKind[] = ['month']) => {
      const choice = { ...choiceOf(channel ?? '', kinds), channel };
      return repository.choose(guild, { ...choice, madeBy: MAKER, locale: 'en-GB', since: 0 });
    },
    channels: async (guild = GUILD) => (await posts.preview(guild, null)).channels,
    /** The start of a process over a store of version 2.0.0. */
    carry: () => attempt(() => carryDigests(documents)),
    round: () => attempt(posts.round),
    /** Sends what a killed process has left to people. */
    sendNotices: () =>
      attempt(async () => {
        await outbox.round();
        await noticeRuns.idle();
      }),
  };
}

type Rounds = Pick<ReturnType<typeof startProcess>, 'round'>;

async function passBy(
  ms: number,
  step: number,
  { time }: Guilds,
  processes: readonly Rounds[],
): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    await time.pass(step);
    await Promise.all(processes.map(({ round }) => round()));
  }
}

/** A round at each hour. */
export const passHours = (hours: number, guilds: Guilds, ...processes: readonly Rounds[]): Promise<void> =>
  passBy(hours * HOUR, HOUR, guilds, processes);

/** Four rounds a day. */
export const passDays = (days: number, guilds: Guilds, ...processes: readonly Rounds[]): Promise<void> =>
  passBy(days * DAY, DAY / 4, guilds, processes);
