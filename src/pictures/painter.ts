/**
 * The process that draws: one chart in, one {@link Painting} out. A process and not a thread, because a thread that
 * has ended leaves 40 to 80 MB of the drawing library behind, and because a crash of native code would take the bot
 * with it.
 */
import { Chart, type Painting } from './chart.ts';

// To a whole group of processes; the bot finishes what it is doing, and ends this process by hanging up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
process.on('message', (chart) => void paint(chart).then((painting) => process.send?.(painting)));

/** Rejects where a package is missing; every chart is then answered with that. */
const drawing = prepare();
drawing.catch(() => {});

async function prepare(): Promise<(chart: Chart) => Uint8Array> {
  const [{ loadFonts }, { drawChart: draw }] = await Promise.all([import('./sheet.ts'), import('./draw.ts')]);
  loadFonts();
  return draw;
}

async function paint(input: unknown): Promise<Painting> {
  let draw: (chart: Chart) => Uint8Array;
  try {
    draw = await drawing;
  } catch (error) {
    return { kind: 'missing', why: String(error) };
  }
  try {
    return { kind: 'drawn', png: draw(Chart.parse(input)) };
  } catch (error) {
    const isAboutLetters = error instanceof Error && error.name === 'MissingLetter';
    return { kind: isAboutLetters ? 'letters' : 'failed', why: String(error) };
  }
}
