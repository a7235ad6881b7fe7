/** Loaded before the bot (`--import`): the wall clock runs ahead by LATER_MS, as after a pause of that length. */
const ahead = Number(process.env['LATER_MS']);
const now = Date.now;
Date.now = () => now() + ahead;

export {};
