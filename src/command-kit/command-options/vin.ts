import { z } from 'zod';
import { modelName } from '../../cards/car/car-models.ts';
import type { DiscoveredNames } from '../../service/endpoints.ts';
import { Vin } from '../../service/models/identifiers.ts';
import type { Context } from '../context.ts';
import type { Suggestion, TextOption } from '../option.ts';

/** `ab-12 c.` → `ab12c`: as people copy a plate. */
const withoutMarks = (input: string): string => input.replace(/[\p{P}\p{S}\p{Z}]+/gu, '');

/** A car by its VIN. Suggestions include the model. */
export const vinOption = {
  kind: 'text',
  description: 'car.options.vin',
  required: true,
  schema: z.string().transform(withoutMarks).pipe(Vin),
  wrong: 'input.vin',
  suggested: (input) => {
    const [vin = ''] = input.split(' · ');
    return Vin.safeParse(vin).success ? vin : null;
  },
  complete: (input, context) => suggestions(context.recentNames.vins(withoutMarks(input)), context),
  didYouMean: (input, context) => suggestions(context.recentNames.vinsNear(input), context),
} as const satisfies TextOption;

function suggestions(vins: DiscoveredNames['vins'], { t }: Pick<Context, 't'>): readonly Suggestion[] {
  return vins
    .filter(({ vin }) => Vin.safeParse(vin).success)
    .map(({ vin, type }) => ({
      name: type === null ? vin : t('car.choice', { vin, model: modelName(type, t) }),
      value: vin,
    }));
}
