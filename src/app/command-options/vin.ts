import { modelName } from '../../cards/car/car-models.ts';
import type { Context, Suggestion, TextOption } from '../command.ts';
import { Vin } from '../../service/models/models.ts';
import type { SeenVin } from '../../store/names/recent-names.ts';

/** A car by its VIN. Suggestions say the model, too. */
export const vinOption = {
  kind: 'text',
  description: 'car.options.vin',
  required: true,
  schema: Vin,
  wrong: 'input.vin',
  complete: (typed, context) => suggestions(context.seen.vins(typed), context),
  near: (typed, context) => suggestions(context.seen.vinsNear(typed), context),
} as const satisfies TextOption;

function suggestions(vins: readonly SeenVin[], { words }: Pick<Context, 'words'>): readonly Suggestion[] {
  return vins
    .filter(({ vin }) => Vin.safeParse(vin).success)
    .map(({ vin, type }) => ({
      name: type === null ? vin : words.text('car.choice', { vin, model: modelName(type, words) }),
      value: vin,
    }));
}
