import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The longest files, in the order in which they begin, so that none of them is left for the end. Their seconds were 120 to 8
 * on two quiet cores. Vitest knows durations only where it has run before, and sorts a clean checkout by size.
 */
export const LONGEST = [
  'scenarios/shards/standby',
  'scenarios/two-processes',
  'features/removal',
  'scenarios/outages',
  'main',
  'sandbox/page/page',
  'scenarios/store-fails',
  'sim/budget-sim',
  'discord/interactions/chat',
  'scenarios/look-ups',
  'features/convoys/scenario',
  'store/sqlite/restore',
  'scenarios/answers',
  'board/pace',
  'scenarios/board-of-two',
  'scenarios/proof',
  'scenarios/shards/chaos',
  'fuzz/documents',
  'store/sqlite/file-lock',
  'tools/doctor/doctor',
  'scenarios/status-line',
  'history/recorder',
  'pictures/pictures',
  'features/alerts/scenario',
  'service/budget/kills',
  'scenarios/operator',
  'cards/any-card',
  'board/chat-library',
  'sandbox/page/comfort',
  'sandbox/page/accessible',
  'commands/every-answer',
  'features/roles/role-look-ups',
  'history/past',
  'npm-start',
  'service/fair-share',
  'scenarios/secrets',
  'sandbox/page/heights',
  'tools/demo',
  'store/redis/open',
  'sandbox/service/world',
  'store/redis/troubles',
  'history/uptime',
].map((name) => `/test/${name}.test.ts`);

/** Files that only `npm run test:all` runs: simulations, fuzzing, whole processes and long scenarios. */
export const LONG_TESTS: readonly string[] = [
  'test/{fuzz,sim}/**',
  'test/scenarios/!(who-may).test.ts',
  'test/scenarios/shards/**',
  'test/sandbox/page/{accessible,comfort,heights,page}.test.ts',
  'test/{main,npm-start,bundle}.test.ts',
  'test/tools/{build,demo}.test.ts',
  'test/tools/{doctor,setup}/**',
  'test/tools/store-tools.test.ts',
  'test/store/sqlite/{another-user,file-lock,restore}.test.ts',
  'test/store/redis/{open,troubles}.test.ts',
  'test/service/budget/kills.test.ts',
  'test/features/*/{convoys-killed,scenario,scenario-garbage}.test.ts',
  'test/features/removal.test.ts',
  'test/board/{chat-library,pace,random-days}.test.ts',
  'test/discord/interactions/chat.test.ts',
  'test/commands/every-answer.test.ts',
  'test/cards/any-card.test.ts',
  'test/sandbox/service/world.test.ts',
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
