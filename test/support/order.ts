import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take 128 to 10 s in a run of all tests on two cores, the longest first, so that none is left for the end. Vitest
 * knows durations only if it has run before, and sorts the files of a clean checkout by size.
 */
export const LONGEST = [
  'scenarios/shards/standby',
  'commands/removal',
  'scenarios/two-processes',
  'tools/store-tools',
  'sandbox/page/page',
  'main',
  'tools/demo',
  'tools/build',
  'discord/gateway/login',
  'scenarios/operator',
  'scenarios/outages',
  'sandbox/page/heights',
  'discord/interactions/chat',
  'scenarios/privacy',
  'community/history/past',
  'pictures/pictures',
  'sim/budget-sim',
  'sandbox/page/accessible',
  'sandbox/service/world',
  'scenarios/store-fails',
  'community/history/uptime',
  'scenarios/board-of-two',
  'commands/every-answer',
  'tools/setup/setup',
  'sandbox/page/comfort',
  'store/sqlite/restore',
  'messages/boards/chat-library',
  'messages/boards/safeguards',
  'scenarios/answers',
  'messages/boards/random-days',
  'scenarios/proof',
  'service/budget/kills',
  'scenarios/pictures',
  'scenarios/look-ups',
  'tools/doctor/doctor-process',
  'scenarios/secrets',
  'store/sqlite/file-lock',
  'fuzz/documents',
  'commands/convoys/scenario',
  'scenarios/status-line',
  'discord/connection',
  'commands/past',
  'npm-start',
  'commands/alerts/scenario',
  'community/history/coverage',
  'community/history/recorder',
  'commands/roles/jobs/role-look-ups',
  'tools/doctor/doctor',
  'commands/alerts/sim/watches-sim',
  'pictures/draw',
  'cards/board/board-card',
  'measures',
  'commands/recap/jobs/keep-months',
  'sandbox/page/colours',
].map((name) => `/test/${name}.test.ts`);

/**
 * Files that only `npm run test:all` runs, or somebody who names them or their folder: simulations, fuzzing, whole processes, long
 * scenarios, real deadlines, a year of history, and what takes five seconds for another reason.
 */
export const LONG_TESTS: readonly string[] = [
  'test/{fuzz,sim}/**',
  'test/commands/alerts/sim/**',
  'test/scenarios/!(who-may).test.ts',
  'test/scenarios/shards/**',
  'test/sandbox/page/{accessible,colours,comfort,heights,page}.test.ts',
  'test/{main,npm-start,bundle,deploy}.test.ts',
  'test/tools/{build,demo}.test.ts',
  'test/tools/{doctor,setup}/**',
  'test/tools/{move,needs-node,store-tools}.test.ts',
  'test/store/{contract,documents,lock}.test.ts',
  'test/store/sqlite/{another-user,file-lock,restore,user-data}.test.ts',
  'test/store/postgres/*.test.ts',
  'test/service/{fair-share,budget/contract,budget/kills}.test.ts',
  'test/community/history/{answers,chunks,past,uptime}.test.ts',
  'test/pictures/pictures.test.ts',
  'test/bot/collections.test.ts',
  'test/bot/operator/{event-loop,server}.test.ts',
  'test/commands/*/{convoys-killed,scenario,scenario-garbage,scenario-refused,scenario-slots,steps}.test.ts',
  'test/commands/recap/jobs/keep-months.test.ts',
  'test/commands/{past,removal}.test.ts',
  'test/messages/boards/{chat-library,pace,random-days}.test.ts',
  'test/discord/gateway/login.test.ts',
  'test/discord/interactions/{chat,every-window}.test.ts',
  'test/commands/every-answer.test.ts',
  'test/cards/any-card.test.ts',
  'test/sandbox/service/world.test.ts',
  'test/sandbox/chat/{gateway/login,routes/messages,visitor/interactions}.test.ts',
];

/** The longest first; the others as Vitest has them. */
export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}
