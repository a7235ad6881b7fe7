/** A convoy as everyone in its channel sees it: who comes, who is on its server now, and who was there. */
import { HOUR } from '../../base/duration.ts';
import { nameLines } from '../../cards/kit/block.ts';
import { type ActionRow, buttonRow, type Card, createCard, type Section } from '../../cards/kit/card.ts';
import { type DriverNames, nameCell } from '../../cards/kit/driver.ts';
import { compact, joinParts } from '../../cards/kit/lines.ts';
import { serverName } from '../../cards/servers/server-lines.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Convoy } from './convoy.ts';

/** Names that are written; the others are counted. */
const NAMED = 20;
/** Columns of a name. */
const NAME = 24;
/** The stripe while it runs. */
const RUNNING = 0x2ecc71;

/** Somebody who signed up, with the driver where that is known and not hidden. */
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
  /** Its server as the live file and the overview have it; null for what they do not tell. */
  readonly server: {
    readonly online: boolean | null;
    readonly free: number | null;
    readonly drivers: number | null;
    /** Of those who signed up, by person; null where the file names nobody. */
    readonly here: ReadonlySet<string> | null;
  } | null;
}

/** The button by which the bot finds the card again; it is there in each phase. */
export function convoyButton({ id }: Pick<Convoy, 'id'>) {
  return { command: 'convoy', action: 'in', subject: id };
}

export function convoyCard(view: ConvoyView, t: Translator): Card {
  const { convoy, phase, inside, waiting, maybe } = view;
  const isOpen = phase === 'coming' || phase === 'running';
  const lists = isOpen
    ? compact(
        phase === 'running' && view.server?.here
          ? people(t('convoy.list.here', { server: serverName(convoy.server, t) }), hereOf(view), t)
          : people(t('convoy.list.in'), inside, t),
        phase === 'coming' ? people(t('convoy.list.waiting'), waiting, t) : null,
        phase === 'coming' ? people(t('convoy.list.maybe'), maybe, t) : null,
      )
    : compact(phase === 'over' ? people(t('convoy.list.there'), thereOf(view), t) : null);
  return createCard(
    {
      title: `🚗 ${convoy.title}`,
      colour: phase === 'running' ? RUNNING : null,
      lead: [...planLines(convoy, t), ...stateLines(view, t)],
      sections: lists,
      components: [row(view, t)],
    },
    t,
  );
}

/** When and where, a line each. */
export function planLines(
  { at, hours, weekly, server, places }: Pick<Convoy, 'at' | 'hours' | 'weekly' | 'server' | 'places'>,
  t: Translator,
): readonly string[] {
  return [
    joinParts(`**${formatMoment(at, 'weekday', t)}**`, formatMoment(at, 'relative', t)),
    joinParts(
      `**${serverName(server, t)}**`,
      t.duration((hours * HOUR) / 1000),
      weekly ? t('convoy.weekly') : null,
      places === null ? null : t('convoy.places', { count: places }),
    ),
  ];
}

function stateLines(view: ConvoyView, t: Translator): readonly (string | null)[] {
  const { convoy, phase, inside, waiting, maybe, server } = view;
  switch (phase) {
    case 'coming':
      return [
        server === null ? null : serverLine(server, t),
        joinParts(
          `**${t('convoy.in', { count: inside.length })}**`,
          maybe.length === 0 ? null : t('convoy.maybe', { count: maybe.length }),
          waiting.length === 0 ? null : t('convoy.waiting', { count: waiting.length }),
        ),
      ];
    case 'running':
      return [runningLine(view, t)];
    case 'ended':
      return [t('convoy.ended')];
    case 'cancelled':
      return [`**${t('convoy.cancelled')}**`];
    case 'over':
      return resultLines(convoy, t);
  }
}

function serverLine({ online, free }: NonNullable<ConvoyView['server']>, t: Translator): string | null {
  if (online === false) return t('convoy.serverOffline');
  return free === null ? null : t('convoy.freeNow', { count: free });
}

function runningLine(view: ConvoyView, t: Translator): string {
  const { convoy, server } = view;
  const name = serverName(convoy.server, t);
  if (server?.online === false) return `**${t('convoy.offlineNow', { server: name })}**`;
  if (server === null || server.drivers === null) return t('convoy.unknownNow', { server: name });
  const { here, free, drivers } = server;
  const said =
    here === null
      ? t('convoy.driversNow', { count: drivers, server: name })
      : t('convoy.hereNow', { count: here.size, all: signedUpIn(view).length, server: name });
  return joinParts(`**${said}**`, free === null ? null : t('convoy.slotsLeft', { count: free }));
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

/** Whoever may come, sure or not, with a place or without. */
function signedUpIn({ inside, waiting, maybe }: ConvoyView): readonly Participant[] {
  return [...inside, ...waiting, ...maybe];
}

function hereOf(view: ConvoyView): readonly Participant[] {
  return signedUpIn(view).filter(({ person }) => view.server?.here?.has(person));
}

function thereOf(view: ConvoyView): readonly Participant[] {
  const named = new Map(signedUpIn(view).map((one) => [one.person, one]));
  return (view.convoy.result?.there ?? []).flatMap(({ person }) => named.get(person) ?? []);
}

/** Drivers in their colours, and people whose driver is not known as Discord names them; at most twenty together. */
function people(name: string, all: readonly Participant[], t: Translator): Section | null {
  if (all.length === 0) return null;
  const shown = all.slice(0, NAMED);
  const drivers = shown.flatMap(({ driver }) => driver ?? []);
  const others = shown.filter(({ driver }) => driver === null).map(({ person }) => `<@${person}>`);
  const rest = all.length - shown.length;
  return {
    name: joinParts(name, t.number(all.length)),
    lines: (characters) => {
      const more = compact(...others, rest === 0 ? null : `+${t.number(rest)}`).join(' · ');
      const names = drivers.map((driver) => [nameCell(driver, NAME), ''] as const);
      const room = characters - more.length - 1;
      const block = drivers.length === 0 ? '' : nameLines([{ label: t('convoy.drivers'), names }], room, t);
      return compact(block === '' ? null : block, more === '' ? null : more).join('\n');
    },
  };
}

function row({ convoy, phase }: ConvoyView, t: Translator): ActionRow {
  const mine = { ...convoyButton(convoy), label: t('convoy.button.in'), emoji: '✅' };
  if (phase !== 'coming' && phase !== 'running') return buttonRow({ ...mine, disabled: true });
  const about = { command: 'convoy', subject: convoy.id };
  return buttonRow(
    mine,
    { ...about, action: 'maybe', label: t('convoy.button.maybe') },
    { ...about, action: 'out', label: t('convoy.button.out') },
    ...(phase === 'coming'
      ? [{ ...about, action: 'remind', label: t('convoy.button.remind'), emoji: '🔔' }]
      : []),
  );
}
