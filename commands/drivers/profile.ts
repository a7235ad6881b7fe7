import { z } from 'zod';
import { buttonRow } from '../../src/cards/kit/card.ts';
import { type Actions, defineAction, onPress, onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import { readerZone } from '../../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { forDriver, runForDriverOf } from '../../src/command-kit/for-driver.ts';
import { linkForm } from '../../src/command-kit/link-driver.ts';
import {
  findPresence,
  profilePast,
  tolerateStoreFailure,
  withIssuers,
  withNewestName,
} from '../../src/command-kit/past.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { profile } from '../../src/service/endpoints.ts';
import { Username } from '../../src/service/models/identifiers.ts';
import { driverPicture } from './cards/picture-card.ts';
import { profileCard, type View, views } from './cards/profile-card.ts';

const FIRST = 'overview';

const viewActions: Actions = Object.fromEntries(
  views.map((view) => [view, onSubject(Username, (username, context) => show(username, view, context))]),
);

export default defineCommand({
  description: 'profile.description',
  topic: 'drivers',
  leads: true,
  example: ['player'],
  visibility: 'choice',
  showsDistances: true,
  options: {
    player: playerOption('profile.options.player', false),
    picture: { kind: 'flag', description: 'profile.options.picture', required: false },
  },

  async run({ player, picture: asPicture }, context) {
    return forDriver(player, context, (username) => answer(username, asPicture, context), 'profile');
  },

  form: linkForm((username, context) => answer(username, null, context)),

  retryAction({ player, picture: asPicture }) {
    if (player === null) return null;
    return { action: asPicture === null ? 'answer' : asPicture ? 'drawn' : FIRST, subject: player };
  },

  userMenu: {
    name: 'profile.menu',
    async run(userId, context) {
      return runForDriverOf(userId, context, async (username, by) => ({
        ...(await answer(username, null, context)),
        content: context.t(`link.by.${by}`, { person: `<@${userId}>` }),
      }));
    },
  },

  actions: {
    ...viewActions,
    answer: onSubject(Username, (username, context) => answer(username, null, context)),
    picture: onSubject(Username, async (username, context) => ({
      ...(await answer(username, true, context)),
      // The card stays as it is.
      ephemeral: true,
    })),
    drawn: onSubject(Username, (username, context) => answer(username, true, context)),
    pictures: preferring(true),
    text: preferring(false),
    open: defineAction({
      press: z.object({ value: Username }),
      // For the reader alone: the list that the menu belongs to stays.
      run: async ({ value: username }, context) => ({
        ...(await answer(username, null, context)),
        ephemeral: true,
      }),
    }),
  },
});

/**
 * Answers with the picture, or with text if the person or else their server has chosen that. `asPicture`: the choice for this
 * answer; null: the person has not said. The text stands in for a picture that cannot be drawn.
 */
async function answer(username: string, asPicture: boolean | null, context: Context): Promise<Reply> {
  if (asPicture === false) return show(username, FIRST, context);
  const { store, history, person, t, expectPicture } = context;
  const driver = lookUpDriver(username, context);
  const past = profilePast(username, history);
  // The text has a button to the picture.
  const preference = tolerateStoreFailure(
    async () =>
      (await store.profileLooks.isPicture(person.id)) ??
      (await store.guildSettings.of(person.guildId)).profiles === 'picture',
    false,
  );
  const isPicture = preference.then((isPreferred) => asPicture ?? isPreferred);
  const [text, isPreferred, picture] = await Promise.all([
    show(username, FIRST, context, { driver, past, isPicture }),
    preference,
    isPicture.then((isAsked) => {
      if (!isAsked) return null;
      expectPicture();
      return makePicture(username, driver, past, context);
    }),
  ]);
  if (picture === null) return text;
  const always = isPreferred
    ? { action: 'text', label: t('picture.always.text') }
    : { action: 'pictures', label: t('picture.always.picture') };
  return {
    ...text,
    picture: { ...picture, isUnasked: asPicture === null },
    ownButtons: buttonRow({ command: 'profile', subject: username, ...always }),
  };
}

/** Decides for the presser alone, whoever's picture the button is below. */
function preferring(asPicture: boolean) {
  return onPress(async ({ store, person, t }) => {
    await store.profileLooks.set(person.id, asPicture);
    return { ephemeral: true, content: t(asPicture ? 'picture.saved.picture' : 'picture.saved.text') };
  });
}

type Driver = ReturnType<typeof lookUpDriver>;
type Past = ReturnType<typeof profilePast>;

/** Looks up the driver's record, and where the driver is. */
async function lookUpDriver(username: string, context: Context) {
  const answer = withNewestName(await context.service.get(profile, { username }), context);
  return { answer, presence: await findPresence(answer, context) };
}

/** Every view uses the same record, so changing views costs no request. `ofPicture`: the facts in a picture, and whether it stands for one. */
async function show(
  asked: string,
  view: View,
  context: Context,
  ofPicture: {
    readonly driver: Driver;
    readonly past: Past;
    readonly isPicture: Promise<boolean>;
  } | null = null,
): Promise<Reply> {
  const { history, hidden, t } = context;
  const [{ answer: newest, presence }, past] = await Promise.all([
    ofPicture?.driver ?? lookUpDriver(asked, context),
    ofPicture?.past ?? (view === FIRST ? profilePast(asked, history) : null),
  ]);
  const answer = view === 'licences' ? withIssuers(newest, context) : newest;
  const { username } = answer.record;
  const note = view === FIRST ? await convoysNote(username, context) : null;
  return profileCard(answer, view, t, {
    past,
    here: presence,
    isProved: hidden.isProved(username),
    note,
    standsForPicture: (await ofPicture?.isPicture) ?? false,
  });
}

/** Returns the number of convoys that the driver's own account attended; null if the account hides it. */
async function convoysNote(username: string, { hidden, features, t }: Context): Promise<string | null> {
  const person = hidden.findPublicAttendee(username);
  const count = person === null ? 0 : await tolerateStoreFailure(() => features.convoys.count(person), 0);
  return count === 0 ? null : t('convoy.attended', { count });
}

async function makePicture(
  username: string,
  driver: Driver,
  knownPast: Past,
  context: Context,
): Promise<NonNullable<Reply['picture']>> {
  const { poll, history, hidden, now, t } = context;
  const [{ answer, presence }, { name: zone }, past, sessions] = await Promise.all([
    driver,
    readerZone(context),
    knownPast,
    tolerateStoreFailure(() => history.driver(username, MAX_SESSIONS), null),
  ]);
  const isProved = hidden.isProved(answer.record.username);
  const community = poll.facts.chat?.record.name ?? null;
  return driverPicture({ answer, past, presence, sessions, community, zone, now, isProved }, t);
}

/** Limit for the sessions of seven days: one every half hour. */
const MAX_SESSIONS = 336;
