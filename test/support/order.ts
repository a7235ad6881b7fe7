import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The longest files, in the order in which they begin: those that mostly wait by turns with those that compute, so that neither
 * the cores nor the waiting is left for the end. Their seconds were 55 to 6 on two quiet cores. Vitest knows durations only
 * where it has run before, and sorts a clean checkout by size.
 */
export const LONGEST = [
  'scenarios/convoys',
  'scenarios/outages',
  'sandbox/page/page',
  'scenarios/look-ups',
  'sim/budget-sim',
  'scenarios/store-fails',
  'sandbox/page/comfort',
  'service/budget/kills',
  'tools/doctor/doctor',
  'discord/interactions/chat',
  'tools/build',
  'scenarios/status-line',
  'history/recorder',
  'board/chat-library',
  'tools/demo',
  'sandbox/service/world',
  'scenarios/two-processes',
  'history/answers',
  'store/sqlite/file-lock',
  'service/budget/contract',
  'store/redis/open',
  'board/random-days',
  'store/redis/troubles',
  'sandbox/page/heights',
  'scenarios/crash-loop',
  'fuzz/documents',
  'store/sqlite/restore',
  'sandbox/page/accessible',
  'main',
  'board/pace',
  'npm-start',
  'sandbox/service/faults',
  'commands/every-answer',
  'cards/any-card',
  'commands/past',
].map((name) => `/test/${name}.test.ts`);

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
