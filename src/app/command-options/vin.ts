import { modelName } from '../../cards/car/car-models.ts';
import { Vin } from '../../service/models/identifiers.ts';
import type { RecentVin } from '../../store/names/recent-names.ts';
import type { Context } from '../context.ts';
import type { Suggestion, TextOption } from '../option.ts';

/** A car by its VIN. Suggestions include the model. */
export const vinOption = {
  kind: 'text',
  description: 'car.options.vin',
  required: true,
  schema: Vin,
  wrong: 'input.vin',
  complete: (typed, context) => suggestions(context.recentNames.vins(typed), context),
  didYouMean: (typed, context) => suggestions(context.recentNames.vinsNear(typed), context),
} as const satisfies TextOption;

function suggestions(vins: readonly RecentVin[], { t }: Pick<Context, 't'>): readonly Suggestion[] {
  return vins
    .filter(({ vin }) => Vin.safeParse(vin).success)
    .map(({ vin, type }) => ({
      name: type === null ? vin : t('car.choice', { vin, model: modelName(type, t) }),
      value: vin,
    }));
}
