import { byId } from './element.ts';

const names = ['channels', 'members', 'faults'];

/** Beside the messages where there is room, over them where there is not. At most one of them is open. */
interface Drawers {
  /** The focus goes back to where it was opened. */
  close(): void;
}

/** `wide`: matches where there is room. */
export function createDrawers(wide: MediaQueryList): Drawers {
  function toggle(name: string, open: boolean): void {
    for (const other of names) {
      const isOpen = other === name && open;
      // On a wide screen, channels and members are always visible; only the faults open and close.
      if (other === 'faults') byId(other).hidden = !isOpen;
      byId(other).classList.toggle('open', isOpen);
      for (const button of document.querySelectorAll(`[data-drawer="${other}"]`))
        button.setAttribute('aria-expanded', String(isOpen));
    }
    byId('shade').hidden = !open || wide.matches;
    const opener = document.querySelector<HTMLElement>(`[data-drawer="${name}"]`);
    if (open) byId(name).querySelector<HTMLElement>('button, select, summary')?.focus();
    else opener?.focus();
  }

  function close(): void {
    const open = names.find((name) => byId(name).classList.contains('open'));
    if (open !== undefined) toggle(open, false);
  }

  for (const button of document.querySelectorAll<HTMLElement>('[data-drawer]')) {
    const name = button.dataset['drawer'] ?? '';
    button.addEventListener('click', () => toggle(name, button.getAttribute('aria-expanded') !== 'true'));
  }
  byId('shade').addEventListener('click', close);
  wide.addEventListener('change', close);
  return { close };
}
