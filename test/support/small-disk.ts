import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves no byte. */
  fill(): void;
  /** What filled it goes. */
  free(): void;
}

/** A file system of its own, in memory. Needs the right to mount. */
export function smallDisk(mebibytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'pitwall-disk-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path]);
  if (status !== 0) throw new Error(`no disk: ${stderr}`);
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'w');
      const written = (): boolean => {
        try {
          return writeSync(file, Buffer.alloc(4096)) > 0;
        } catch (error) {
          if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
          throw error;
        }
      };
      while (written());
      closeSync(file);
    },
    free: () => rmSync(filler),
    [Symbol.dispose]() {
      spawnSync('umount', ['--lazy', path]);
      rmdirSync(path);
    },
  };
}
