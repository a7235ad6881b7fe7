import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Profile } from '../../service/models/profile.ts';
import { type Button, buttons, type Card, type Row, refreshButton } from '../kit/card.ts';
import { driverName } from '../kit/driver-name.ts';
import { embed } from '../kit/embed.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { coloured } from '../kit/lines.ts';
import { garage } from './garage.ts';
import { licences } from './licences.ts';
import { overview } from './overview.ts';
import { type Place, type View, views } from './profile-action.ts';
import { properties } from './properties.ts';
import { record } from './record.ts';
import type { Remembered, ViewContent } from './view-content.ts';

const contents: Readonly<
  Record<View, (answer: Answer<Profile>, place: Place, t: Translator, remembered: Remembered) => ViewContent>
> = { overview, record, licences, garage, properties };

/** The card's stripe, by whether the driver is online. */
const ONLINE = 0x2ecc71;
const OFFLINE = 0x80848e;

/**
 * A driver: name on top, the chosen view below, and buttons for the other views.
 */
export function profileCard(
  answer: Answer<Profile>,
  place: Place,
  t: Translator,
  remembered: Remembered = { past: null, offers: [] },
): Card {
  const { username, nickname, flag, online } = answer.record;
  const content = contents[place.view](answer, place, t, remembered);
  const body = {
    title: driverName(answer.record),
    thumbnail: content.wide === true ? null : flag,
    colour: online === null || (online && answer.stale !== null) ? null : online ? ONLINE : OFFLINE,
    lead: [...oldData(answer, t), ...(content.wide === true ? [] : coloured(nickname, t)), ...content.lead],
    ...(content.list === undefined ? {} : { list: content.list }),
    sections: [...(content.sections ?? []), asOf(answer, t)],
  };
  return { embeds: [embed(body, t)], components: controls(username, place.view, content, t) };
}

function controls(subject: string, here: View, content: ViewContent, t: Translator): readonly Row[] {
  const switches = views.map((view) => ({
    command: 'profile',
    action: view,
    subject,
    label: t(`profile.view.${view}`),
    here: view === here,
  }));
  const number = content.page ?? undefined;
  const refresh = refreshButton({ command: 'profile', action: here, number, subject }, t);
  return [
    buttons(...switches),
    ...(content.menus?.(subject) ?? []),
    buttons(...(content.turns?.(subject) ?? []), ...(here === 'overview' ? waysOn(subject, t) : []), refresh),
  ];
}

/** Other cards of the same driver. */
function waysOn(subject: string, t: Translator): readonly Button[] {
  return [
    { command: 'compare', action: 'me', subject, label: t('card.compareWithMe') },
    { command: 'seen', action: 'show', subject, label: t('card.sessions') },
  ];
}
