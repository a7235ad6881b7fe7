import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createAllCatalogues } from '../../commands/subjects.ts';
import { languages } from '../../src/base/languages.ts';
import { createLog } from '../../src/base/log.ts';
import { createPictures, type Pictures } from '../../src/pictures/pictures.ts';
import { currentBuild } from '../support/bundle.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { colourfulDriver, polishWeek, weekOfLines } from './support/charts.ts';

const LIMIT = 5000;
const IDLE = 3 * 60_000;

/** Ready to draw with that drawing process, at a clock that stands still. */
function started(painter: string) {
  const clock = createManualClock();
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => lines.push(line) } });
  const pictures = createPictures({ painter: new URL(painter, import.meta.url), clock, log });
  return { ...pictures, clock, lines, [Symbol.dispose]: pictures.close };
}

async function png(picture: ReturnType<Pictures['draw']>): Promise<Uint8Array> {
  const drawn = await picture;
  if (!(drawn instanceof Uint8Array)) throw new Error(`not drawn: ${drawn}`);
  return drawn;
}

/** The number that the test's own drawing processes answer instead of a picture. */
async function pid(picture: ReturnType<Pictures['draw']>): Promise<number> {
  return Number(new TextDecoder().decode(await png(picture)));
}

function isRunning(process_: number): boolean {
  try {
    return process.kill(process_, 0);
  } catch {
    return false;
  }
}

const chart = polishWeek();
const REAL = '../../src/pictures/painter.ts';
const OWN_PID = 'support/painters/own-pid.ts';
const COUNTING = 'support/painters/counting.ts';

test.each([
  ['the sources', REAL],
  ['the bundle', new URL('painter.js', currentBuild()).href],
])('a chart comes back as a PNG, drawn in another process, of %s', async (_where, painter) => {
  using pictures = started(painter);
  const picture = await png(pictures.draw(chart));
  expect(Buffer.from(picture).subarray(1, 4).toString()).toBe('PNG');
  expect(pictures.lines).toEqual([]);
});

test('one process draws all pictures, also those asked for at once', async () => {
  using pictures = started(OWN_PID);
  const pids = await Promise.all([chart, chart, chart].map((each) => pid(pictures.draw(each))));
  expect(new Set(pids).size).toBe(1);
  expect(pids[0]).not.toBe(process.pid);
});

test('the drawing process gets nothing of the environment of the bot', async () => {
  vi.stubEnv('DISCORD_TOKEN', 'token');
  using pictures = started('support/painters/environment.ts');
  const names = new TextDecoder().decode(await png(pictures.draw(chart)));
  vi.unstubAllEnvs();
  expect(names.split(' ').filter((name) => !name.startsWith('NODE_CHANNEL_'))).toEqual([
    'DISABLE_SYSTEM_FONTS_LOAD',
  ]);
});

test('ends the process after three minutes without a picture, and starts another', async () => {
  using pictures = started(OWN_PID);
  const first = await pid(pictures.draw(chart));
  pictures.clock.pass(IDLE - 1);
  expect(await pid(pictures.draw(chart))).toBe(first);
  // The time counts from the last picture.
  pictures.clock.pass(IDLE - 1);
  expect(isRunning(first)).toBe(true);
  pictures.clock.pass(1);
  await expect.poll(() => isRunning(first)).toBe(false);
  const next = await pid(pictures.draw(chart));
  expect(next).not.toBe(first);
  expect(isRunning(next)).toBe(true);
});

/** A drawing process that answers with its own process id, and writes it into a file when it starts. */
function pidInFile() {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-pictures-'));
  const file = join(folder, 'pid');
  const painter = join(folder, 'painter.cjs');
  writeFileSync(
    painter,
    `require('node:fs').appendFileSync(${JSON.stringify(file)}, process.pid + '\\n');
process.on('disconnect', () => process.exit());
process.on('message', () => process.send({ kind: 'drawn', png: Buffer.from(String(process.pid)) }));`,
  );
  return {
    painter: pathToFileURL(painter).href,
    /** The ids of all processes that have started. */
    pids: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : []),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test('a process that is prepared draws the picture that follows', async () => {
  using drawing = pidInFile();
  using pictures = started(drawing.painter);
  pictures.prepare();
  pictures.prepare();
  await expect.poll(drawing.pids).toHaveLength(1);
  expect([await pid(pictures.draw(chart))]).toEqual(drawing.pids());
  pictures.prepare();
  expect([await pid(pictures.draw(chart))]).toEqual(drawing.pids());
});

test('a prepared process ends after three minutes although no picture followed', async () => {
  using drawing = pidInFile();
  using pictures = started(drawing.painter);
  pictures.prepare();
  await pictures.clock.timer(IDLE);
  await expect.poll(drawing.pids).toHaveLength(1);
  const [prepared = 0] = drawing.pids();
  pictures.clock.pass(IDLE - 1);
  expect(isRunning(prepared)).toBe(true);
  pictures.clock.pass(1);
  await expect.poll(() => isRunning(prepared)).toBe(false);
  expect(pictures.lines).toEqual([]);
});

test('a crash costs the picture that was being drawn, and no other', async () => {
  using pictures = started('support/painters/peaks-kill.ts');
  const [before, deadly, after] = [chart, weekOfLines(), chart].map((each) => pictures.draw(each));
  const first = await pid(before ?? Promise.resolve(null));
  expect(await deadly).toBe('never');
  expect(await pid(after ?? Promise.resolve(null))).not.toBe(first);
  expect(pictures.lines.join()).toContain('the drawing process ended');
});

test('nobody waits longer than five seconds, and the process has a minute', async () => {
  using pictures = started(COUNTING);
  expect(await pid(pictures.draw(chart))).toBe(1);
  for (let passed = 0; passed < 60_000; passed += LIMIT) {
    expect(pictures.lines.join()).not.toContain('too slow');
    const picture = pictures.draw(weekOfLines());
    await pictures.clock.timer(LIMIT);
    pictures.clock.pass(LIMIT);
    expect(await picture).toBeNull();
  }
  // The process may have got its chart after the first of these spans.
  pictures.clock.pass(LIMIT);
  await expect.poll(() => pictures.lines.join()).toContain('too slow');
  expect(await pid(pictures.draw(chart))).toBe(1);
});

test('a process that starts slowly draws the next picture, as that and not as the last', async () => {
  using pictures = started(COUNTING);
  const picture = pictures.draw(chart);
  await pictures.clock.timer(LIMIT);
  pictures.clock.pass(LIMIT);
  expect(await picture).toBeNull();
  expect(pictures.lines.join()).toContain('a picture came too late');
  expect(await pid(pictures.draw(chart))).toBe(2);
});

test('a picture for which nobody waits may take as long as the start of its process', async () => {
  using pictures = started(COUNTING);
  const patient = pictures.draw(chart, { waitMs: 60_000 });
  const picture = pictures.draw(chart);
  await pictures.clock.timer(LIMIT);
  pictures.clock.pass(LIMIT);
  expect(await picture).toBeNull();
  expect(await pid(patient)).toBe(1);
  // The one that nobody waits for any more is left out.
  expect(await pid(pictures.draw(chart))).toBe(2);
});

test('waiting for others counts: nobody waits longer than five seconds', async () => {
  using pictures = started('support/painters/silent.ts');
  const waiting = [chart, chart, chart].map((each) => pictures.draw(each));
  await pictures.clock.timer(LIMIT);
  pictures.clock.pass(LIMIT);
  expect(await Promise.all(waiting)).toEqual([null, null, null]);
});

test('a picture that must not queue is refused right away behind so many others', async () => {
  using pictures = started('support/painters/silent.ts');
  const firstTwo = [chart, chart].map((each) => pictures.draw(each, { maxWaiting: 2 }));
  expect(await pictures.draw(chart, { maxWaiting: 2 })).toBeNull();
  const patient = pictures.draw(chart);
  pictures.close();
  expect(await Promise.all([...firstTwo, patient])).toEqual(['never', 'never', 'never']);
});

test('of too many pictures at once, the rest is refused right away', async () => {
  using pictures = started('support/painters/silent.ts');
  const first = Array.from({ length: 16 }, () => pictures.draw(chart));
  expect(await pictures.draw(chart)).toBeNull();
  pictures.close();
  expect(new Set(await Promise.all(first))).toEqual(new Set(['never']));
});

test('the text stands alone where what draws is not installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-pictures-'));
  cpSync(currentBuild(), folder, { recursive: true });
  using pictures = started(pathToFileURL(join(folder, 'painter.js')).href);
  expect(await pictures.draw(chart)).toBe('never');
  expect(pictures.lines.join()).toMatch(/Cannot find package '@napi-rs\/canvas'/);
  rmSync(folder, { recursive: true });
});

test('a driver is drawn without the fonts and flags that are not installed yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-pictures-'));
  cpSync(currentBuild(), folder, { recursive: true });
  for (const name of ['@napi-rs', '@fontsource/fira-sans-condensed']) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), place);
  }
  using pictures = started(pathToFileURL(join(folder, 'painter.js')).href);
  await png(pictures.draw(colourfulDriver()));
  expect(pictures.lines).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('where the library is missing, no process is started again', async () => {
  using pictures = started('support/painters/missing.ts');
  expect(await pictures.draw(chart)).toBe('never');
  expect(await pictures.draw(chart)).toBe('never');
  expect(pictures.lines).toHaveLength(1);
  expect(pictures.lines[0]).toContain('not installed');
});

test('a process that cannot be started costs pictures only', async () => {
  using pictures = started('support/painters/none.ts');
  pictures.prepare();
  expect(await pictures.draw(chart)).toBe('never');
  expect(pictures.lines).toHaveLength(1);
});

test('a chart that cannot be drawn is reported, and the next one is drawn', async () => {
  using pictures = started(REAL);
  const broken = { ...chart, rows: [{ label: 'x'.repeat(100), cells: [] }] };
  expect(await pictures.draw(broken)).toBe('never');
  expect(pictures.lines.join()).toContain('a picture was not drawn');
  await png(pictures.draw(chart));
});

/** All letters that the texts, weekdays and months of a language are written in. */
function lettersOf(language: string): string {
  const dates = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short' });
  const days = Array.from({ length: 12 }, (_, month) => dates.format(Date.UTC(2026, month, 1 + month)));
  const texts = JSON.stringify(createAllCatalogues()(language).texts) + days.join('');
  return [...new Set(texts.match(/[\p{L}\p{N}]/gu))].join('');
}

describe('the letters of', () => {
  const pictures = started(REAL);
  afterAll(pictures.close);

  test.each(languages)('%s can be drawn, without any font of the machine', async (language) => {
    const letters = lettersOf(language);
    const rows = (letters.match(/.{1,12}/gu) ?? []).map((label) => ({ label, cells: [0.5] }));
    for (let from = 0; from < rows.length; from += 7) {
      const part = { ...chart, rows: rows.slice(from, from + 7), framed: null };
      expect(await pictures.draw(part), letters).toBeInstanceOf(Uint8Array);
    }
    expect(pictures.lines).toEqual([]);
  });
});

test('a letter that the font lacks costs one picture, not the process', async () => {
  using pictures = started(REAL);
  const [first] = chart.rows;
  const strange = { ...chart, rows: [{ label: '赛车', cells: first?.cells ?? [] }] };
  expect(await pictures.draw(strange)).toBe('never');
  expect(pictures.lines.join()).toContain('the font has no U+8d5b');
  await png(pictures.draw(chart));
});

test('closing ends the process', async () => {
  using pictures = started(OWN_PID);
  const running = await pid(pictures.draw(chart));
  pictures.close();
  await expect.poll(() => isRunning(running)).toBe(false);
  expect(await pictures.draw(chart)).toBe('never');
});
