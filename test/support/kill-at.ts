/** Loaded before a program (`--import`): the process kills itself before its KILL_AT-th change of a folder. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let left = Number(process.env['KILL_AT']);

function countDown(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

const { linkSync, renameSync, rmSync } = fs;
fs.linkSync = (...given) => {
  countDown();
  linkSync(...given);
};
fs.renameSync = (...given) => {
  countDown();
  renameSync(...given);
};
fs.rmSync = (...given) => {
  countDown();
  rmSync(...given);
};
syncBuiltinESMExports();
