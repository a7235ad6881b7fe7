import { createLastResult } from '../../../src/base/memoise-by-object.ts';
import type { ProfilePast } from '../../../src/cards/history/gains.ts';
import {
  type ActionRow,
  type Button,
  buttonRow,
  type Card,
  createCard,
  refreshButton,
} from '../../../src/cards/kit/card.ts';
import { driverHeading, markVerified } from '../../../src/cards/kit/driver.ts';
import { asOf, oldData } from '../../../src/cards/kit/freshness.ts';
import { tellButtons } from '../../../src/cards/kit/tell-buttons.ts';
import type { Presence } from '../../../src/community/history/history.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import type { Profile } from '../../../src/service/models/profile.ts';
import { licencesView } from './licences.ts';
import { isOnline, overviewView } from './overview.ts';
import { propertiesView } from './properties.ts';
import { recordView } from './record.ts';

/** The views of a driver, in the order of their buttons; each is an action of the command. */
export const views = ['overview', 'record', 'licences', 'properties'] as const;
export type View = (typeof views)[number];

/** Drawn of the record alone. */
const otherViews = { record: recordView, licences: licencesView, properties: propertiesView };

/** The card's stripe, by whether the driver is online. */
const ONLINE_COLOUR = 0x2ecc71;
const OFFLINE_COLOUR = 0x80848e;

interface About {
  /** For the first view; null where nothing is known. */
  readonly past: ProfilePast | null;
  /** Null where nothing is known that is newer than the record. */
  readonly here: Presence | null;
  /** An account has proved that the driver is theirs. */
  readonly isProved: boolean;
  /** A short text of a feature about the driver's own account. */
  readonly note: string | null;
  /** A person has asked for the picture and may get this overview: *Picture* puts it in its place. */
  readonly standsForPicture: boolean;
}

/** A driver: name on top, the chosen view below, and buttons for the other views. */
export function profileCard(
  answer: Answer<Profile>,
  view: View,
  t: Translator,
  { past = null, here = null, isProved = false, note = null, standsForPicture = false }: Partial<About> = {},
): Card {
  const where = here === null ? null : here.server === null ? here.lastSeen : here.since;
  const dependencies = [
    view,
    t,
    answer.asOf,
    answer.stale,
    past?.earlier,
    past?.best,
    isProved,
    note,
    standsForPicture,
    here?.server,
    where,
  ];
  return lastCards(answer.record, dependencies, () =>
    drawCard(answer, view, { past, here, isProved, note, standsForPicture }, t),
  );
}

/** A card is smaller than the record that it was drawn of. */
const lastCards = createLastResult<Profile, Card>();

function drawCard(answer: Answer<Profile>, view: View, about: About, t: Translator): Card {
  const { username } = answer.record;
  const { title, name } = driverHeading(answer.record, t);
  const viewContent = view === 'overview' ? overviewView(answer, about, t) : otherViews[view](answer, t);
  const online = isOnline(answer, about.here);
  const content = {
    tail: asOf(answer, t),
    ...viewContent,
    // After the login name, so that no in-game name can pretend it.
    title: markVerified(title, about.isProved),
    colour: online === null ? null : online ? ONLINE_COLOUR : OFFLINE_COLOUR,
    lead: [name, oldData(answer, t), ...viewContent.lead],
    components: controls(
      username,
      view,
      { drawing: about.standsForPicture ? 'drawn' : 'picture', isAway: online === false },
      t,
    ),
  };
  return createCard(content, t);
}

/** A phone shows three buttons in a row. `drawing`: the action of *Picture*, in place or for the presser alone. */
function controls(
  subject: string,
  currentView: View,
  { drawing, isAway }: { readonly drawing: 'drawn' | 'picture'; readonly isAway: boolean },
  t: Translator,
): readonly ActionRow[] {
  const to = (view: View): Button => ({
    command: 'profile',
    action: view,
    subject,
    here: view === currentView,
    label: view === 'properties' ? t('profile.money') : t(`profile.view.${view}`),
  });
  const garage = { command: 'garage', action: 'condition', number: 0, subject };
  const refresh = refreshButton({ command: 'profile', action: currentView, subject }, t);
  return [
    buttonRow(to('overview'), to('record'), to('licences')),
    buttonRow({ ...garage, label: t('profile.view.garage') }, to('properties'), refresh),
    ...(currentView === 'overview'
      ? [
          buttonRow(
            { command: 'compare', action: 'me', subject, label: t('card.compareWithMe') },
            { command: 'seen', action: 'show', subject, label: t('card.sessions') },
            { command: 'profile', action: drawing, subject, label: t('picture.button') },
            ...(isAway ? tellButtons('driver', subject, t) : []),
          ),
        ]
      : []),
  ];
}
