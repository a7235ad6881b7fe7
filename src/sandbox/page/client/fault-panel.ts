import type { Answer, FaultView, Happened } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { byId, element, redraw } from './element.ts';
import { chatFaults, serviceFaults } from './fault-words.ts';
import { LOST, number, unit } from './text.ts';

/** In seconds. */
const leaps = [
  { seconds: 60, value: 1, of: 'minute' },
  { seconds: 600, value: 10, of: 'minute' },
  { seconds: 3600, value: 1, of: 'hour' },
] as const;

const happenings = [
  { what: 'full-server', label: 'Fill a server' },
  { what: 'car-offer', label: 'Put a car on sale' },
  { what: 'licence-expiry', label: 'Let a licence expire' },
] as const;

/** Parts that stay while the panel is drawn again. */
interface Lasting {
  /** How many requests there were: its owner updates it. */
  readonly requests: Node;
  /** The form that gives a driver another name. */
  readonly rename: HTMLElement;
  /** Latest event that a visitor has caused, read out at once. */
  readonly happened: HTMLElement;
}

/** The ⚡ panel. */
export function drawFaults(
  faults: readonly FaultView[],
  { requests, rename, happened }: Lasting,
  connection: Connection,
  close: () => void,
): void {
  const closing = { type: 'button', class: 'icon', onclick: close, 'aria-label': 'Close' };
  redraw(
    byId('faults'),
    element(
      'div',
      { class: 'bar' },
      element('h2', {}, 'Make it go wrong'),
      element('button', { ...closing, id: 'faults-close' }, '✕'),
    ),
    element(
      'p',
      {},
      'See how the bot behaves when something around it fails. Everything stays on this machine.',
    ),
    element('h3', {}, 'Let something happen in the game'),
    drawHappenings(happened, connection),
    rename,
    element('h3', {}, 'Let time pass in the game'),
    drawLeaps(happened, connection),
    happened,
    element('h3', {}, 'Data service'),
    drawSwitches(faults, 'service', connection),
    drawChat(faults, happened, connection),
    element('p', { class: 'requests' }, 'Requests the data service has counted so far: ', requests),
  );
  const on = faults.filter((fault) => fault.on).length;
  const count = byId('fault-count');
  count.hidden = on === 0;
  count.textContent = `${number(on)} on`;
}

function drawLeaps(happened: HTMLElement, connection: Connection): HTMLElement {
  return element(
    'div',
    { class: 'leaps' },
    ...leaps.map(({ seconds, value, of }) => {
      const what = unit(value, of);
      const done = () => connection.ask({ type: 'advance', seconds });
      return drawButton(what, `leap-${seconds}`, async () => tell(happened, what, await done()));
    }),
  );
}

/** Folded, since they are for people who write bots; it stays as it was left. */
function drawChat(faults: readonly FaultView[], happened: HTMLElement, connection: Connection): HTMLElement {
  const id = 'faults-chat';
  const open = document.querySelector<HTMLDetailsElement>(`#${id}`)?.open ?? false;
  return element(
    'details',
    { id, open },
    element('summary', {}, element('h3', {}, 'Discord, for people who write bots')),
    drawSwitches(faults, 'chat', connection),
    drawOnce(faults, happened, connection),
  );
}

/** The faults that happen at a press. */
function drawOnce(faults: readonly FaultView[], happened: HTMLElement, connection: Connection): HTMLElement {
  const drawn = faults
    .filter(({ once }) => once)
    .map((fault) => {
      const { side, name } = fault;
      const what = textOf(fault);
      const done = () => connection.ask({ type: 'fault', side, name, on: true });
      return drawButton(what, `fault-${side}-${name}`, async () => tell(happened, what, await done()));
    });
  return element('div', { class: 'leaps' }, ...drawn);
}

/** Confirms in words an action that shows nothing else. */
function tell(happened: HTMLElement, what: string, answer: Answer): void {
  happened.textContent = answer.ok ? `Done: ${what}` : LOST;
}

function drawHappenings(happened: HTMLElement, connection: Connection): HTMLElement {
  return element(
    'div',
    { class: 'leaps' },
    ...happenings.map(({ what, label }) =>
      drawButton(label, `happen-${what}`, async () => {
        const answer = await connection.ask({ type: 'happen', what });
        if (!answer.ok) happened.textContent = LOST;
        else if (answer.happened !== undefined) happened.textContent = inWords(answer.happened);
      }),
    ),
  );
}

function inWords({ what, facts }: Happened): string {
  switch (what) {
    case 'full-server': {
      if (facts === null) return 'Too few drivers are offline to fill a server.';
      const time = unit(facts.minutes, 'minute');
      const { server, drivers: count } = facts;
      return count === 1
        ? `Server ${server} is full: 1 driver, for at least ${time}.`
        : `Server ${server} is full: ${count} drivers, for at least ${time}.`;
    }
    case 'car-offer':
      return facts === null
        ? 'Every car is wrecked.'
        : `${facts.owner} sells ${facts.vin} for ${number(facts.price)}.`;
    case 'new-name':
      return facts === null
        ? 'No driver of that name, or no room on any server.'
        : `${facts.driver} drives on ${facts.server} as ${facts.name}.`;
    case 'licence-expiry':
      return facts === null
        ? 'No licence is left that could expire.'
        : `${facts.driver} has lost a licence: ${facts.licence} has expired.`;
  }
}

/** Gives a driver another name in the game, as people do who prove that a driver is theirs. */
export function drawRename(
  drivers: readonly string[],
  happened: HTMLElement,
  connection: Connection,
): HTMLFormElement {
  const inOrder = drivers.toSorted((a, b) => a.localeCompare(b));
  const who = element('select', {}, ...inOrder.map((name) => element('option', { value: name }, name)));
  const name = element('input', { type: 'text', maxlength: '64', required: true, autocomplete: 'off' });
  const rename = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const answer = await connection.ask({ type: 'drive-as', driver: who.value, name: name.value });
    if (!answer.ok) happened.textContent = LOST;
    else if (answer.happened !== undefined) happened.textContent = inWords(answer.happened);
  };
  return element(
    'form',
    { class: 'rename', onsubmit: rename },
    element('label', {}, 'Driver', who),
    element('label', {}, 'Name in the game', name),
    element('button', { type: 'submit', class: 'button secondary' }, 'Take this name and drive'),
  );
}

function drawButton(label: string, id: string, onclick: () => void): HTMLElement {
  return element('button', { type: 'button', class: 'button secondary', id, onclick }, label);
}

function drawSwitches(
  faults: readonly FaultView[],
  side: FaultView['side'],
  connection: Connection,
): HTMLElement {
  const drawn = faults
    .filter((fault) => fault.side === side && !fault.once)
    .map((fault) =>
      element(
        'button',
        {
          type: 'button',
          role: 'switch',
          class: 'switch',
          id: `fault-${side}-${fault.name}`,
          'aria-checked': String(fault.on),
          onclick: () => void connection.ask({ type: 'fault', side, name: fault.name, on: !fault.on }),
        },
        element('span', {}, textOf(fault)),
        element('span', { class: 'knob', 'aria-hidden': 'true' }),
      ),
    );
  return element('div', { class: 'switches' }, ...drawn);
}

function textOf(fault: FaultView): string {
  return fault.side === 'service' ? serviceFaults[fault.name] : chatFaults[fault.name];
}
