import type { Action, FaultView, Happened, Snapshot } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { byId, element } from './element.ts';
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

/** Draws the ⚡ panel. It stays; {@link showFaults} and {@link showRequests} change what it shows. */
export function drawFaults(
  { faults, drivers }: Pick<Snapshot, 'faults' | 'drivers'>,
  connection: Connection,
  close: () => void,
): void {
  const closing = { type: 'button', class: 'icon', onclick: close, 'aria-label': 'Close' };
  /** Latest event that a visitor has caused, read out at once. */
  const happened = element('p', { role: 'status' });
  const causes: Causes = { connection, happened };
  byId('faults').replaceChildren(
    element('div', { class: 'bar' }, element('h2', {}, 'Make it go wrong'), element('button', closing, '✕')),
    element(
      'p',
      {},
      'See how the bot behaves when something around it fails. Everything stays on this machine.',
    ),
    element('h3', {}, 'Let something happen in the game'),
    element(
      'div',
      { class: 'leaps' },
      ...happenings.map(({ what, label }) =>
        drawButton(label, () => cause(causes, { type: 'happen', what }, label)),
      ),
    ),
    drawRename(drivers, causes),
    element('h3', {}, 'Let time pass in the game'),
    element(
      'div',
      { class: 'leaps' },
      ...leaps.map(({ seconds, value, of }) => {
        const what = unit(value, of);
        return drawButton(what, () => cause(causes, { type: 'advance', seconds }, what));
      }),
    ),
    happened,
    element('h3', {}, 'Data service'),
    drawSwitches(faults, 'service', connection),
    // Folded, since they are for people who write bots.
    element(
      'details',
      {},
      element('summary', {}, element('h3', {}, 'Discord, for people who write bots')),
      drawSwitches(faults, 'chat', connection),
      element(
        'div',
        { class: 'leaps' },
        ...faults.filter(({ once }) => once).map((fault) => drawOnce(fault, causes)),
      ),
    ),
    element(
      'p',
      { class: 'requests' },
      'Requests the data service has counted so far: ',
      element('span', { id: 'requests' }),
    ),
  );
  showFaults(faults);
}

export function showFaults(faults: readonly FaultView[]): void {
  for (const { side, name, on } of faults)
    document.getElementById(`fault-${side}-${name}`)?.setAttribute('aria-checked', String(on));
  const on = faults.filter((fault) => fault.on).length;
  const count = byId('fault-count');
  count.hidden = on === 0;
  count.textContent = `${number(on)} on`;
}

export function showRequests(count: number): void {
  byId('requests').textContent = number(count);
}

interface Causes {
  readonly connection: Connection;
  readonly happened: HTMLElement;
}

/** Does it, and says so: in words of its own, or in those of the button. */
async function cause({ connection, happened }: Causes, action: Action, what: string): Promise<void> {
  const answer = await connection.ask(action);
  if (!answer.ok) happened.textContent = LOST;
  else happened.textContent = answer.happened === undefined ? `Done: ${what}` : inWords(answer.happened);
}

/** A fault that happens at a press. */
function drawOnce(fault: FaultView, causes: Causes): HTMLElement {
  const { side, name } = fault;
  const what = textOf(fault);
  return drawButton(what, () => cause(causes, { type: 'fault', side, name, on: true }, what));
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
function drawRename(drivers: readonly string[], causes: Causes): HTMLElement {
  const inOrder = drivers.toSorted((a, b) => a.localeCompare(b));
  const who = element('select', {}, ...inOrder.map((name) => element('option', { value: name }, name)));
  const name = element('input', { type: 'text', maxlength: '64', required: true, autocomplete: 'off' });
  const label = 'Take this name and drive';
  const rename = (event: SubmitEvent): void => {
    event.preventDefault();
    void cause(causes, { type: 'drive-as', driver: who.value, name: name.value }, label);
  };
  return element(
    'form',
    { class: 'rename', onsubmit: rename },
    element('label', {}, 'Driver', who),
    element('label', {}, 'Name in the game', name),
    element('button', { type: 'submit', class: 'button secondary' }, label),
  );
}

function drawButton(label: string, onclick: () => void): HTMLElement {
  return element('button', { type: 'button', class: 'button secondary', onclick }, label);
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
          'aria-checked': 'false',
          onclick({ currentTarget }: Event) {
            const on = currentTarget instanceof Element && currentTarget.ariaChecked !== 'true';
            void connection.ask({ type: 'fault', side, name: fault.name, on });
          },
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
