import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What mostly waits: for deadlines of the bot, for processes, for a browser. */
const WAITS = /\/test\/(?:scenarios|sandbox\/page|main\.test|npm-start\.test)/;

/**
 * Files that wait in turn with files that compute, so that neither the cores nor the waiting is left for the end; of
 * each kind the largest first, as Vitest has it.
 */
export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ moduleId }) => WAITS.test(moduleId));
    const computing = sorted.filter(({ moduleId }) => !WAITS.test(moduleId));
    return sorted
      .flatMap((_file, index) => [waiting[index], computing[index]])
      .filter((file) => file !== undefined);
  }
}
