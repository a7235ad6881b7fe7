/** The cards of convoys in their channels: what each shows now, for the runner of boards, which keeps their messages. */
import { createHash } from 'node:crypto';
import { HOUR } from '../../../src/base/duration.ts';
import { createLastResult } from '../../../src/base/memoise-by-object.ts';
import { type BoardSettings, newBoardOptions, type Paused } from '../../../src/cards/board/board.ts';
import { writeCustomId } from '../../../src/cards/kit/custom-id.ts';
import { freeSlots } from '../../../src/cards/servers/server-lines.ts';
import type { GuildDriver } from '../../../src/community/accounts/guild-drivers.ts';
import type { Preferences, Translator } from '../../../src/i18n/translator.ts';
import { type Facts, judgeFacts } from '../../../src/service/models/facts.ts';
import { sameSpelling } from '../../../src/service/models/identifiers.ts';
import { liveServer, type Player } from '../../../src/service/models/live-status.ts';
import { type ConvoyView, convoyButton, convoyCard, type Participant } from '../cards/convoy-card.ts';
import { cardPausedText } from '../cards/convoy-texts.ts';
import type { Convoy, SignUp } from '../models/convoy.ts';
import { type ConvoyRepository, convoyKey } from '../models/convoy-repository.ts';
import { assignPlaces, phaseOf } from '../models/decide.ts';

/** From then on a card says how many slots its server has free: hours before, that tells nobody anything. In ms. */
const SLOTS_SHOWN_BEFORE_MS = HOUR;

interface KeptCard {
  readonly convoy: Convoy;
  readonly signUps: readonly SignUp[];
  readonly drivers: ReadonlyMap<string, GuildDriver>;
}

export function createConvoyMessages(parts: {
  readonly stored: ConvoyRepository;
  readonly driversIn: (guild: string) => Promise<ReadonlyMap<string, GuildDriver>>;
  readonly facts: () => Facts;
  readonly nicknameOf: (username: string) => string | null;
  readonly translatorFor: (locale: string, reading?: Preferences) => Translator;
  /** Unix milliseconds by the clock of this machine, which dates the facts. */
  readonly now: () => number;
  /** Unix milliseconds by Discord's clock, by which a convoy begins. */
  readonly discordNow: () => number;
  /** Called when Discord does not accept the content of a card. */
  readonly blocked: (guild: string, convoy: Convoy) => void;
}) {
  const { stored, driversIn, facts, nicknameOf, translatorFor, now, discordNow, blocked } = parts;
  let keptCards = new Map<string, KeptCard>();
  /** By presses since the store was last asked, which may answer as it was before. */
  const pressed = new Map<string, readonly SignUp[]>();
  const last = createLastResult<Convoy, ReturnType<typeof render>>();

  /** By key, of the guilds that are this process's. Rejects where the store fails. */
  async function read(ours: (guild: string) => boolean): Promise<ReadonlyMap<string, BoardSettings>> {
    pressed.clear();
    const [all, signUps] = await Promise.all([stored.all(), stored.signUps()]);
    const next = new Map<string, KeptCard>();
    const settings = new Map<string, BoardSettings>();
    for (const [guild, convoys] of all) {
      if (!ours(guild)) continue;
      const drivers = await driversIn(guild);
      for (const convoy of convoys) {
        const key = convoyKey(guild, convoy);
        next.set(key, { convoy, signUps: signUps.get(key) ?? [], drivers });
        settings.set(key, settingsOf(guild, convoy));
      }
    }
    for (const [key, newer] of pressed) {
      const one = next.get(key);
      if (one !== undefined) next.set(key, { ...one, signUps: newer });
    }
    keptCards = next;
    return settings;
  }

  function render(
    { convoy, signUps, drivers }: KeptCard,
    phase: ConvoyView['phase'],
    server: ConvoyView['server'],
  ) {
    const t = translatorFor(convoy.locale, { unit: 'kilometre', colours: convoy.colours });
    const participant = (person: string): Participant => {
      const knownDriver = drivers.get(person);
      const driver = knownDriver === undefined || knownDriver.isHidden ? null : knownDriver.username;
      return { person, driver: driver === null ? null : { username: driver, nickname: nicknameOf(driver) } };
    };
    const { inside, waiting, maybe } = assignPlaces(convoy, signUps);
    const view = {
      convoy: withoutHidden(convoy, drivers),
      phase,
      server,
      inside: inside.map(participant),
      waiting: waiting.map(participant),
      maybe: maybe.map(participant),
    };
    const { embeds, components } = convoyCard(view, t);
    const hash = createHash('sha256')
      .update(JSON.stringify([embeds, components]))
      .digest('base64url')
      .slice(0, 22);
    return {
      mode: 'live' as const,
      checked: null,
      times: null,
      summary: null,
      hash,
      message: () => ({ embeds, components }),
    };
  }

  return {
    // A card ends with the record of its convoy, and stays right without the bot.
    marksStop: false,
    describeLoss: null,
    // Cards cost nothing but what is polled for history anyway.
    lastSource: () => 'live' as const,
    records: {
      served: read,
      stateOf: stored.cardOf,
      saveState: stored.saveCard,
      remove: stored.remove,
    },
    blocked(key: string): void {
      const card = keptCards.get(key);
      if (card !== undefined) blocked(key.slice(0, key.indexOf(':')), card.convoy);
    },
    marker: (key: string): string => writeCustomId(convoyButton({ id: key.slice(key.indexOf(':') + 1) })),
    pauseText: ({ channelId, locale }: BoardSettings, { why }: Pick<Paused, 'why'>): string =>
      cardPausedText(channelId, why, translatorFor(locale)),
    frame(key: string) {
      const one = keptCards.get(key);
      if (one === undefined) return null;
      const { convoy, signUps, drivers } = one;
      const phase = phaseOf(convoy, discordNow());
      const isNear =
        phase === 'running' || (phase === 'coming' && convoy.at - discordNow() < SLOTS_SHOWN_BEFORE_MS);
      const server = isNear ? serverNow(one, facts(), now()) : null;
      const attendance = [server?.present, server?.absent].map((people) => people && [...people].join(' '));
      const inputs = [signUps, drivers, phase, server?.online, server?.free, server?.drivers, ...attendance];
      return last(convoy, inputs, () => render(one, phase, server));
    },
    /** Shows a press at once, and not with the next reading of the store. */
    took(key: string, changed: Pick<KeptCard, 'convoy' | 'signUps'>): void {
      pressed.set(key, changed.signUps);
      const previousCard = keptCards.get(key);
      if (previousCard !== undefined) keptCards.set(key, { ...previousCard, ...changed });
    },
  };
}

function settingsOf(guildId: string, { channel, madeBy, madeAt, locale, colours }: Convoy): BoardSettings {
  const otherSettings = { madeBy, madeAt, locale, colours, removed: false, options: newBoardOptions };
  return { guildId, channelId: channel, ...otherSettings };
}

/** Some may have hidden their driver since its result was told. */
function withoutHidden(convoy: Convoy, drivers: KeptCard['drivers']): Convoy {
  const { result } = convoy;
  if (result === null) return convoy;
  const visibleAttendees = result.there.filter(({ person }) => drivers.get(person)?.isHidden !== true);
  const hiddenCount = result.hidden + result.there.length - visibleAttendees.length;
  return { ...convoy, result: { ...result, there: visibleAttendees, hidden: hiddenCount } };
}

/** The convoy's server, and the people there who signed up, as far as known; costs no request. */
function serverNow({ convoy, signUps, drivers }: KeptCard, all: Facts, now: number): ConvoyView['server'] {
  const { overview, live } = judgeFacts(all, now);
  const file = liveServer(convoy.server);
  const status = file && live[file];
  const players: readonly Player[] | null = status === null || status.isStale ? null : status.record.players;
  const reported =
    overview?.isStale === false
      ? overview.record.find(({ name }) => name?.toLowerCase() === convoy.server)
      : undefined;
  if (reported?.online === false) return { online: false, free: 0, drivers: 0, present: null, absent: null };
  const count = players?.length ?? reported?.guests ?? null;
  const free = reported === undefined ? null : freeSlots({ ...reported, guests: count });
  return {
    online: reported?.online ?? null,
    free,
    drivers: count,
    ...attendanceOf(signUps, drivers, players),
  };
}

/** Nobody is absent whose driver is unknown or hidden, and nobody at all while a driver there has no name. */
function attendanceOf(
  signUps: readonly SignUp[],
  drivers: KeptCard['drivers'],
  players: readonly Player[] | null,
): Pick<NonNullable<ConvoyView['server']>, 'present' | 'absent'> {
  const names = new Set(
    (players ?? []).flatMap(({ username }) => (username === null ? [] : sameSpelling(username))),
  );
  if (players === null || (names.size === 0 && players.length > 0)) return { present: null, absent: null };
  const knownDrivers = signUps.flatMap(({ person, answer }) => {
    const driver = answer === null ? undefined : drivers.get(person);
    return driver === undefined || driver.isHidden
      ? []
      : [{ person, isPresent: names.has(sameSpelling(driver.username)) }];
  });
  const peopleBy = (isPresent: boolean) =>
    new Set(knownDrivers.flatMap((one) => (one.isPresent === isPresent ? one.person : [])));
  const areAllNamed = players.every(({ username }) => username !== null);
  return { present: peopleBy(true), absent: areAllNamed ? peopleBy(false) : null };
}
