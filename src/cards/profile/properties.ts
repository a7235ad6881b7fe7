import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { Profile } from '../../service/models/profile.ts';
import { each } from '../kit/fit-lines.ts';
import { itemLine } from '../kit/item-line.ts';
import type { Place } from './profile-action.ts';
import type { ViewContent } from './view-content.ts';

export function properties(
  { record: { properties: owned } }: Answer<Profile>,
  _place: Place,
  t: Translator,
): ViewContent {
  const heading = `**${t('profile.view.properties')}**`;
  if (owned === null) return { lead: [heading, t('property.missing')] };
  if (owned.length === 0) return { lead: [heading, t('property.none')] };
  return {
    lead: [`**${t('property.count', { count: owned.length })}**`],
    list: each(owned, (property) => itemLine(property, t)),
  };
}
