/**
 * Loaded before the bot (`--import`): the wall clock runs ahead by LATER_MS, as after a pause of that length. What is
 * to happen in 15 seconds, as the next look at what is watched, happens in WATCH_EVERY_MS.
 */
const ahead = Number(process.env['LATER_MS']);
const now = Date.now;
Date.now = () => now() + ahead;

const WATCH_EVERY = 15_000;
const watchEvery = Number(process.env['WATCH_EVERY_MS'] ?? WATCH_EVERY);
const after = setTimeout;
globalThis.setTimeout = Object.assign(
  (run: () => void, ms?: number) => after(run, ms === WATCH_EVERY ? watchEvery : ms),
  after,
);

export {};
