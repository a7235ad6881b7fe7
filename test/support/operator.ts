import { z } from 'zod';
import type { Bot } from './bot.ts';

const Report = z.object({
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
});

/** What the operator of that bot, started with `HTTP_PORT=0`, gets to see. */
export interface Operator {
  /** 0 where nothing answers. */
  status(path: string): Promise<number>;
  /** The checks of a report; empty where nothing answers. */
  health(path: string): Promise<z.infer<typeof Report>['checks']>;
  text(path: string): Promise<string>;
}

export function createOperator(bot: Pick<Bot, 'output'>): Operator {
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${portOf(bot.output)}${path}`);
  return {
    status: (path) =>
      get(path).then(
        ({ status }) => status,
        () => 0,
      ),
    health: (path) =>
      get(path).then(
        async (answer) => Report.parse(await answer.json()).checks,
        () => ({}),
      ),
    text: async (path) => (await get(path)).text(),
  };
}

/** Of its last start. */
function portOf(output: string): string {
  const line = output.split('\n').findLast((text) => text.includes('serving health and metrics'));
  return /"port":(\d+)/.exec(line ?? '')?.[1] ?? '';
}
