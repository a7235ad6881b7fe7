/** A convoy as everyone in its channel sees it: who comes, who is on its server now, and who was there. */
import { HOUR } from '../../../src/base/duration.ts';
import { nameLines } from '../../../src/cards/kit/block.ts';
import {
  type ActionRow,
  buttonRow,
  type Card,
  createCard,
  type Section,
} from '../../../src/cards/kit/card.ts';
import { type DriverNames, nameCell } from '../../../src/cards/kit/driver.ts';
import { compact, joinParts } from '../../../src/cards/kit/lines.ts';
import { serverName } from '../../../src/cards/servers/server-lines.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';
import { type Convoy, MAX_LENGTHS } from '../models/convoy.ts';

/** Maximum number of names in a list; the rest is a count. */
export const MAX_NAMES = 20;
/** Width of a name in columns. */
const NAME_COLUMNS = 24;
/** Color of the stripe while it runs. */
const RUNNING_COLOUR = 0x2ecc71;

/** A person who signed up, with the driver if that is known and not hidden. */
export interface Participant {
  readonly person: string;
  readonly driver: DriverNames | null;
}

export interface ConvoyView {
  readonly convoy: Convoy;
  readonly phase: 'coming' | 'running' | 'ended' | 'cancelled' | 'over';
  readonly inside: readonly Participant[];
  readonly waiting: readonly Participant[];
  readonly maybe: readonly Participant[];
  /** State of its server by the live file and the overview; null if they say nothing. */
  readonly server: {
    readonly online: boolean | null;
    readonly free: number | null;
    readonly drivers: number | null;
    /** People who signed up and drive there now; null if the live file names nobody. */
    readonly present: ReadonlySet<string> | null;
    /** People who signed up and whose driver is certainly not there; null if the live file does not name everybody. */
    readonly absent: ReadonlySet<string> | null;
  } | null;
}

/** The button by which the bot finds the card again; it is there in each phase. */
export function convoyButton({ id }: Pick<Convoy, 'id'>) {
  return { command: 'convoy', action: 'in', subject: id };
}

export function convoyCard(view: ConvoyView, t: Translator): Card {
  const { convoy, phase } = view;
  return createCard(
    {
      title: `🚗 ${convoy.title}`,
      colour: phase === 'running' ? RUNNING_COLOUR : null,
      lead: [...planLines(convoy, t), ...descriptionLines(convoy), ...stateLines(view, t)],
      sections: compact(...peopleSections(view, t)),
      components: [signUpRow(view, t)],
    },
    t,
  );
}

/** Lists of people. A number stands in the heading if no line above says it. */
function peopleSections(view: ConvoyView, t: Translator): readonly (Section | null)[] {
  const { phase, inside, waiting, maybe, server } = view;
  switch (phase) {
    case 'coming':
      return [
        peopleSection(t('convoy.list.in'), inside, t),
        peopleSection(t('convoy.list.waiting'), waiting, t),
        peopleSection(t('convoy.list.maybe'), maybe, t),
      ];
    case 'running':
      return server?.present ? attendanceSections(view, t) : [countedSection(t('convoy.list.in'), inside, t)];
    case 'over':
      return [peopleSection(t('convoy.list.there'), attendees(view), t)];
    default:
      return [];
  }
}

/** When and where, a line each. `madeBy`: the maker to name; null or empty: nobody. */
export function planLines(
  {
    at,
    hours,
    weekly,
    server,
    places,
    madeBy,
  }: Pick<Convoy, 'at' | 'hours' | 'weekly' | 'server' | 'places'> & { readonly madeBy: string | null },
  t: Translator,
): readonly string[] {
  return [
    joinParts(`**${formatMoment(at, 'weekday', t)}**`, formatMoment(at, 'relative', t)),
    joinParts(
      `**${serverName(server, t)}**`,
      t.duration((hours * HOUR) / 1000),
      weekly ? t('convoy.weekly') : null,
      places === null ? null : t('convoy.places', { count: places }),
      madeBy === null || madeBy === '' ? null : t('convoy.by', { maker: `<@${madeBy}>` }),
    ),
  ];
}

/** The description as a quote, with nothing in it that Discord would format, link or ping. */
export function descriptionLines({ description }: Pick<Convoy, 'description'>): readonly string[] {
  if (description === undefined) return [];
  // Each character may be escaped.
  return description.split('\n').map((line) => `> ${escapeMarkdown(line, 2 * MAX_LENGTHS.description)}`);
}

function stateLines(view: ConvoyView, t: Translator): readonly (string | null)[] {
  const { convoy, phase, inside, waiting, maybe, server } = view;
  switch (phase) {
    case 'coming':
      return [
        server === null ? null : serverLine(convoy, server, t),
        joinParts(
          goingText(inside.length, maybe.length, t),
          maybe.length === 0 ? null : t('convoy.maybe', { count: maybe.length }),
          waiting.length === 0 ? null : t('convoy.waiting', { count: waiting.length }),
        ),
      ];
    case 'running':
      return [runningLine(view, t), unnamedLine(view, t)];
    case 'ended':
      return [t('convoy.ended')];
    case 'cancelled':
      return [`**${t('convoy.cancelled')}**`];
    case 'over':
      return resultLines(convoy, t);
  }
}

/** Invites while nobody has signed up; null if people only may come. */
function goingText(going: number, maybe: number, t: Translator): string | null {
  if (going > 0) return `**${t('convoy.in', { count: going })}**`;
  return maybe > 0 ? null : `**${t('convoy.noneYet')}**`;
}

function serverLine(
  { server }: Convoy,
  { online, free }: NonNullable<ConvoyView['server']>,
  t: Translator,
): string | null {
  const name = serverName(server, t);
  if (online === false) return t('convoy.offlineNow', { server: name });
  if (free === 0) return t('convoy.fullNow', { server: name });
  return free === null ? null : t('convoy.freeNow', { count: free, server: name });
}

/** Says that nobody can be named as absent, if drivers are there without names. */
function unnamedLine({ server }: ConvoyView, t: Translator): string | null {
  const isUnnamed = server !== null && server.online !== false && (server.drivers ?? 0) > 0;
  return isUnnamed && server.absent === null ? t('convoy.unnamedNow') : null;
}

function runningLine(view: ConvoyView, t: Translator): string {
  const { convoy, server } = view;
  const name = serverName(convoy.server, t);
  if (server?.online === false) return `**${t('convoy.offlineNow', { server: name })}**`;
  if (server === null || server.drivers === null) return t('convoy.unknownNow', { server: name });
  const { present, free, drivers } = server;
  const count =
    present === null
      ? t('convoy.driversNow', { count: drivers, server: name })
      : t('convoy.hereNow', { count: present.size, all: allSignedUp(view).length, server: name });
  return joinParts(`**${count}**`, free === null ? null : t('convoy.slotsLeft', { count: free }));
}

/** The drivers who were there, and never who was not. */
function resultLines({ result, server }: Convoy, t: Translator): readonly (string | null)[] {
  if (result === null) return [];
  const { there, hidden, peak, known, usual, holes } = result;
  const name = serverName(server, t);
  const most = peak === null ? null : t('convoy.most', { count: peak, server: name });
  const than = usual === null || peak === null ? null : Math.round(peak - usual);
  const gaps = holes
    .map(({ from, to }) => `${formatMoment(from, 'clock', t)}–${formatMoment(to, 'clock', t)}`)
    .join(', ');
  const isUnknown = !known && peak === null;
  return [
    isUnknown ? t('convoy.nothingKnown') : null,
    known ? joinParts(`**${t('convoy.wereThere', { count: there.length })}**`, most) : most && `**${most}**`,
    known || than === null || than <= 0 ? null : t('convoy.moreThanUsual', { count: than }),
    known || isUnknown ? null : t('convoy.nobodyNamed'),
    known && hidden > 0 ? t('convoy.hidden', { count: hidden }) : null,
    gaps === '' || isUnknown ? null : t('convoy.holes', { holes: gaps }),
  ];
}

/** All people who signed up: sure or not, with a place or without. */
function allSignedUp({ inside, waiting, maybe }: ConvoyView): readonly Participant[] {
  return [...inside, ...waiting, ...maybe];
}

/** Lists the people who are there, then those with a place who are not there yet, then those of whom nothing is known. */
function attendanceSections(view: ConvoyView, t: Translator): readonly (Section | null)[] {
  const { convoy, inside, server } = view;
  const isPresent = ({ person }: Participant): boolean => server?.present?.has(person) === true;
  const isAbsent = ({ person }: Participant): boolean => server?.absent?.has(person) === true;
  const unknown = inside.filter((one) => !isPresent(one) && !isAbsent(one));
  const name = t('convoy.list.here', { server: serverName(convoy.server, t) });
  return [
    peopleSection(name, allSignedUp(view).filter(isPresent), t),
    countedSection(t('convoy.list.missing'), inside.filter(isAbsent), t),
    countedSection(t('convoy.list.unknown'), unknown, t),
  ];
}

function attendees(view: ConvoyView): readonly Participant[] {
  const byPerson = new Map(allSignedUp(view).map((one) => [one.person, one]));
  return (view.convoy.result?.there ?? []).flatMap(({ person }) => byPerson.get(person) ?? []);
}

function countedSection(name: string, all: readonly Participant[], t: Translator): Section | null {
  return peopleSection(joinParts(name, t.number(all.length)), all, t);
}

/** Drivers in their colors, and people whose driver is not known as Discord names them; at most {@link MAX_NAMES} together. */
function peopleSection(name: string, all: readonly Participant[], t: Translator): Section | null {
  if (all.length === 0) return null;
  const listed = all.slice(0, MAX_NAMES);
  const drivers = listed.flatMap(({ driver }) => driver ?? []);
  const mentions = listed.filter(({ driver }) => driver === null).map(({ person }) => `<@${person}>`);
  const rest = all.length - listed.length;
  return {
    name,
    lines: (characters) => {
      const more = compact(...mentions, rest === 0 ? null : `+${t.number(rest)}`).join(' · ');
      const names = drivers.map((driver) => [nameCell(driver, NAME_COLUMNS), ''] as const);
      const space = characters - more.length - 1;
      const block = drivers.length === 0 ? '' : nameLines([{ label: t('convoy.drivers'), names }], space, t);
      return compact(block === '' ? null : block, more === '' ? null : more).join('\n');
    },
  };
}

/** The buttons below a convoy in that phase. */
export function signUpRow({ convoy, phase }: Pick<ConvoyView, 'convoy' | 'phase'>, t: Translator): ActionRow {
  const mine = { ...convoyButton(convoy), label: t('convoy.button.in'), emoji: '✅' };
  if (phase !== 'coming' && phase !== 'running') return buttonRow({ ...mine, disabled: true });
  const button = { command: 'convoy', subject: convoy.id };
  return buttonRow(
    mine,
    { ...button, action: 'maybe', label: t('convoy.button.maybe') },
    { ...button, action: 'out', label: t('convoy.button.out') },
    ...(phase === 'coming'
      ? [{ ...button, action: 'remind', label: t('convoy.button.remind'), emoji: '🔔' }]
      : []),
    { ...button, action: 'manage', label: t('convoy.button.manage'), emoji: '⚙️' },
  );
}
