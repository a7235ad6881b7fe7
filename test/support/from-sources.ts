/**
 * The least of an environment for a program that runs from its sources. They are compiled once for all that start them,
 * which halves what each start takes; where Node keeps them, `vitest.config.ts` says.
 */
export const fromSources = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
