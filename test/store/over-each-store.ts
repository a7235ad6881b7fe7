import { afterAll, test as base, beforeAll, beforeEach, describe } from 'vitest';
import { hasPostgres } from '../support/requirements.ts';
import { type Opened, type Place, postgresPlace, sqlitePlace } from './support.ts';

/** Two processes with one store, which is empty when a test begins. */
interface Processes {
  readonly place: Place;
  readonly one: Opened;
  readonly two: Opened;
}

const test = base.extend<Processes>({
  place: async ({ task: _ }, use) => use(current().place),
  one: async ({ task: _ }, use) => use(current().one),
  two: async ({ task: _ }, use) => use(current().two),
});

let opened: Processes | null = null;

function current(): Processes {
  if (opened === null) throw new Error('nothing is open before a test runs');
  return opened;
}

type Declare = (testOverStore: typeof test, kind: { readonly isFile: boolean }) => void;

const kinds = {
  sqlite: { name: 'SQLite', make: sqlitePlace, runs: true, isFile: true },
  postgres: { name: 'PostgreSQL (needs postgres)', make: postgresPlace, runs: hasPostgres, isFile: false },
};

/** Declares the same tests for each kind of store: of what a store promises. */
export const overEachStore = (declare: Declare): void => overKinds(Object.values(kinds), declare);

/** Declares tests of what its users make of that, for a file, where a test takes a tenth of the time. */
export const overFile = (declare: Declare): void => overKinds([kinds.sqlite], declare);

function overKinds(chosen: (typeof kinds)[keyof typeof kinds][], declare: Declare): void {
  describe.each(chosen)('$name', ({ make, runs, isFile }) => {
    describe.runIf(runs)('keeps the contract', () => {
      beforeAll(async () => {
        const place = await make();
        opened = { place, one: await place.open(), two: await place.open() };
      });
      afterAll(() => current().place.end());
      beforeEach(() => current().place.flush());

      declare(test, { isFile });
    });
  });
}
