/**
 * Loaded before the bot (`--import`): the wall clock runs ahead by LATER_MS, as after a pause of that length. Jobs that
 * run every ten seconds or less often run FASTER times as often.
 */
const ahead = Number(process.env['LATER_MS']);
const now = Date.now;
Date.now = () => now() + ahead;

const faster = Number(process.env['FASTER'] ?? 1);
const JOB = 10_000;
const every = setInterval;
globalThis.setInterval = Object.assign(
  (run: () => void, ms = 0) => every(run, ms < JOB ? ms : ms / faster),
  every,
);

export {};
