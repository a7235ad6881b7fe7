import {
  type ActionRow,
  buttonRow,
  type Card,
  createCard,
  refreshButton,
} from '../../../src/cards/kit/card.ts';
import { linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import { asOf, oldData, partialNotice } from '../../../src/cards/kit/freshness.ts';
import { slotButtons } from '../../../src/cards/kit/tell-buttons.ts';
import { liveButtons } from '../../../src/cards/servers/live-buttons.ts';
import {
  freeSlots,
  overviewLines,
  serverLabel,
  serverName,
  slotsOf,
} from '../../../src/cards/servers/server-lines.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { Answer, Stale } from '../../../src/service/models/dated.ts';
import { LiveServer, liveServer } from '../../../src/service/models/live-status.ts';
import type { Overview, OverviewServer } from '../../../src/service/models/overview.ts';

/** Maximum slots in total: the sum of absurd numbers would be infinite. */
const MAX_SLOTS = 1e15;
/** Maximum buttons in a row. */
const MAX_BUTTONS = 5;
/** Rows for the buttons of full servers: of the five, one is for the servers and *Refresh*, and one for *Share*. */
const MAX_ROWS = 3;

const nothingReported = {
  online: true,
  track: null,
  trackName: null,
  guests: null,
  maxGuests: null,
} as const;

/** Tells whether a server runs and has no free slot. */
export function isFull(server: OverviewServer): boolean {
  return server.online !== false && freeSlots(server) === 0;
}

/**
 * Card of the free slots: the fullest server with free slots comes first, since people are there. `omittedServers`:
 * running servers that the overview omits. `old`: servers that may or may not run; `whys`: the reasons.
 */
export function slotsCard(
  answer: Answer<Overview>,
  omittedServers: readonly LiveServer[],
  t: Translator,
  {
    old = [],
    whys = [],
  }: {
    readonly old?: readonly LiveServer[];
    readonly whys?: readonly Stale[];
  } = {},
): Card {
  const omitted = [...omittedServers, ...old].map((name) => ({ ...nothingReported, name }));
  const servers = [...answer.record, ...omitted].toSorted(
    (a, b) => rank(a) - rank(b) || shareTaken(b) - shareTaken(a),
  );
  const isOld = (server: OverviewServer): boolean => old.some((name) => name === server.name);
  const isUncounted = (server: OverviewServer): boolean => freeSlots(server) === null;
  const content = {
    title: t('slots.title'),
    lead: [
      oldData(answer, t) ?? partialNotice(whys, t),
      summary(servers, t),
      servers.some(isUncounted) ? t('slots.uncounted') : null,
    ],
    list: linePerRow(servers, (server) =>
      [
        isOld(server) ? `**${serverName(server.name, t)}**` : overviewLines(server, t),
        ...(isUncounted(server) ? [t('slots.unknown')] : []),
        '',
      ].join('\n'),
    ),
    tail: asOf(answer, t),
    components: controls(servers, t),
  };
  return createCard(content, t);
}

/** Returns the place of a server in the list: 0 with free slots, 1 full, 2 without numbers, 3 offline. */
function rank(server: OverviewServer): number {
  if (server.online === false) return 3;
  const free = freeSlots(server);
  return free === null ? 2 : free === 0 ? 1 : 0;
}

function shareTaken(server: OverviewServer): number {
  const slots = slotsOf(server);
  return server.guests === null || slots === null ? 0 : server.guests / slots;
}

function summary(servers: readonly OverviewServer[], t: Translator): string {
  if (servers.length === 0) return t('board.noServers');
  const running = servers.filter(({ online }) => online !== false);
  const knownSlots = running.flatMap((server) => freeSlots(server) ?? []);
  if (knownSlots.length === 0 && running.length > 0) return t('slots.unknown');
  const free = knownSlots.reduce((sum, count) => sum + count, 0);
  return free === 0 ? t('slots.none') : t('slots.free', { count: Math.min(free, MAX_SLOTS) });
}

function controls(servers: readonly OverviewServer[], t: Translator): readonly ActionRow[] {
  const buttons = servers.filter(isFull).flatMap(({ name }) => slotButtons(name, serverLabel(name, t), t));
  const shownButtons = buttons.slice(0, MAX_BUTTONS * MAX_ROWS);
  const rows = Array.from({ length: Math.ceil(shownButtons.length / MAX_BUTTONS) }, (_, row) =>
    buttonRow(...shownButtons.slice(row * MAX_BUTTONS, (row + 1) * MAX_BUTTONS)),
  );
  const refresh = refreshButton({ command: 'slots', action: '', subject: '' }, t);
  return [...rows, buttonRow(...liveButtons(running(servers), t, 'slots'), refresh)];
}

/** The servers whose drivers can be listed, in their own order. At most four. */
function running(servers: readonly OverviewServer[]): readonly LiveServer[] {
  const names = servers.flatMap(({ name, online }) => (online === false ? [] : [liveServer(name)]));
  return LiveServer.options.filter((server) => names.includes(server));
}
