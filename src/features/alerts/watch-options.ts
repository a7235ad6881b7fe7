/** A server, and what an alert says of it: as options of a command, as fields of a form, and as a condition. */
import { z } from 'zod';
import { UserError } from '../../base/errors.ts';
import { serverNames } from '../../cards/servers/server-lines.ts';
import type { Fields, Values } from '../../command-kit/form.ts';
import type { Args, Options } from '../../command-kit/option.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Condition } from './watch.ts';

export const outageOptions = {
  outage: {
    kind: 'choice',
    description: 'watch.options.goes',
    required: false,
    choices: { down: 'watch.goesChoice.down', back: 'watch.goesChoice.back', both: 'watch.goesChoice.both' },
  },
  after: { kind: 'count', required: false, description: 'watch.options.after', min: 2, max: 60 },
} as const satisfies Options;
/** Minutes of an outage before it is said. */
const DEFAULT_OUTAGE_MINUTES = 5;

/** Largest number of free slots or drivers that a watch can wait for. */
const MAX_COUNT = 500;
const count = { kind: 'count', required: false, min: 1, max: MAX_COUNT } as const;
const Count = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number)
  .pipe(z.number().min(1).max(MAX_COUNT));

export const serverOptions = {
  server: { kind: 'choice', description: 'live.options.server', required: true, choices: serverNames },
  free: { ...count, description: 'watch.options.free' },
  drivers: { ...count, description: 'watch.options.drivers' },
  ...outageOptions,
} as const satisfies Options;

export const serverFields = {
  server: { kind: 'choice', label: 'live.options.server', choices: serverNames },
  free: { kind: 'text', optional: true, label: 'watch.options.free' },
  drivers: { kind: 'text', optional: true, label: 'watch.options.drivers' },
  outage: {
    kind: 'several',
    label: 'watch.form.goes',
    choices: { down: 'watch.goesChoice.down', back: 'watch.goesChoice.back' },
  },
} as const satisfies Fields;

/** Throws a {@link UserError} for a figure that is no number, or too large. */
export function readServerFields(
  { server, outage, ...figures }: Values<typeof serverFields>,
  t: Translator,
): Args<typeof serverOptions> {
  const figureOf = (typed: string): number | null => {
    const figure = typed.trim() === '' ? null : Count.safeParse(typed.trim()).data;
    if (figure === undefined) throw new UserError(t('watch.refused.figure'));
    return figure;
  };
  const one = outage === 'down' || outage === 'back' ? outage : null;
  return {
    server,
    free: figureOf(figures.free),
    drivers: figureOf(figures.drivers),
    outage: outage.includes(' ') ? 'both' : one,
    after: null,
  };
}

/** Throws a {@link UserError} where nothing is chosen, or both an outage and a number. */
export function serverCondition(
  { server, free, drivers, outage, after }: Args<typeof serverOptions>,
  t: Translator,
): Condition {
  const isOutage = outage !== null || after !== null;
  const isCount = free !== null || drivers !== null;
  if (isOutage && isCount) throw new UserError(t('watch.refused.goesAlone'));
  if (isOutage) return outageCondition(server, { outage, after });
  if (!isCount) throw new UserError(t('watch.refused.nothing'));
  return { kind: 'server', server, free, drivers };
}

/** `server`: null for the data service. */
export function outageCondition(
  server: string | null,
  { outage, after }: Args<typeof outageOptions>,
): Condition {
  return { kind: 'outage', server, goes: outage ?? 'both', after: after ?? DEFAULT_OUTAGE_MINUTES };
}
