import type { Action, FaultView } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { byId, element } from './element.ts';

const leaps: readonly (readonly [string, number])[] = [
  ['1 minute', 60],
  ['10 minutes', 600],
  ['1 hour', 3600],
];

const happenings: readonly (readonly [string, Extract<Action, { type: 'happen' }>['what']])[] = [
  ['Fill a server', 'full-server'],
  ['Put a car on sale', 'car-offer'],
  ['Let a licence expire', 'licence-expiry'],
];

/** What stays while the panel is drawn anew. */
export interface Lasting {
  /** How many requests there were: its owner updates it. */
  readonly requests: Node;
  /** What a visitor has made happen, read out as soon as it has. */
  readonly happened: HTMLElement;
}

/** The ⚡ panel. */
export function drawFaults(
  faults: readonly FaultView[],
  { requests, happened }: Lasting,
  connection: Connection,
  close: () => void,
): void {
  const side = (name: FaultView['side']): readonly HTMLElement[] =>
    faults.filter((fault) => fault.side === name).map((fault) => drawSwitch(fault, connection));
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : '';
  byId('faults').replaceChildren(
    element(
      'div',
      { class: 'bar' },
      element('h2', {}, 'Make it go wrong'),
      element(
        'button',
        { type: 'button', class: 'icon', onclick: close, 'aria-label': 'Close', id: 'faults-close' },
        '✕',
      ),
    ),
    element(
      'p',
      {},
      'See how the bot behaves when something around it fails. Everything stays on this machine.',
    ),
    element('h3', {}, 'Data service'),
    element('div', { class: 'switches' }, ...side('service')),
    element('h3', {}, 'Chat server'),
    element('div', { class: 'switches' }, ...side('chat')),
    element('h3', {}, 'Let time pass in the game'),
    element(
      'div',
      { class: 'leaps' },
      ...leaps.map(([label, seconds]) =>
        drawButton(label, `leap-${seconds}`, () => void connection.ask({ type: 'advance', seconds })),
      ),
    ),
    element('h3', {}, 'Let something happen in the game'),
    element(
      'div',
      { class: 'leaps' },
      ...happenings.map(([label, what]) =>
        drawButton(label, `happen-${what}`, async () => {
          const answer = await connection.ask({ type: 'happen', what });
          happened.textContent = answer.ok ? (answer.happened ?? '') : answer.reason;
        }),
      ),
    ),
    happened,
    element('p', { class: 'requests' }, 'Requests that the data service has counted so far: ', requests),
  );
  if (focused !== '') document.getElementById(focused)?.focus();
  const on = faults.filter((fault) => fault.on).length;
  const count = byId('fault-count');
  count.hidden = on === 0;
  count.textContent = `${on} on`;
}

function drawButton(label: string, id: string, onclick: () => void): HTMLElement {
  return element('button', { type: 'button', class: 'button secondary', id, onclick }, label);
}

function drawSwitch({ side, name, label, on }: FaultView, connection: Connection): HTMLElement {
  return element(
    'button',
    {
      type: 'button',
      role: 'switch',
      class: 'switch',
      id: `fault-${side}-${name}`,
      'aria-checked': String(on),
      onclick: () => void connection.ask({ type: 'fault', side, name, on: !on }),
    },
    element('span', {}, label),
    element('span', { class: 'knob', 'aria-hidden': 'true' }),
  );
}
