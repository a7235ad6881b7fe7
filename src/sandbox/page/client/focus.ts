/** The focus on a control of a message, which may be drawn anew meanwhile. */
interface FocusedControl {
  readonly messageId: string;
  readonly customId: string;
}

/** Null where no control of a message has the focus. */
export function findFocusedControl(): FocusedControl | null {
  const active = document.activeElement;
  const customId = active instanceof HTMLElement ? active.dataset['customId'] : undefined;
  const messageId = active?.closest<HTMLElement>('[data-id]')?.dataset['id'];
  return customId === undefined || messageId === undefined ? null : { messageId, customId };
}

/** Focuses it again; where it is gone or disabled, the next control of its message, or else the message itself. */
export function focusAgain({ messageId, customId }: FocusedControl): void {
  const message = [...document.querySelectorAll<HTMLElement>('[data-id]')].find(
    ({ dataset }) => dataset['id'] === messageId,
  );
  if (message === undefined) return;
  const controls = [...message.querySelectorAll<HTMLButtonElement>('[data-custom-id]')];
  const place = controls.findIndex(({ dataset }) => dataset['customId'] === customId);
  const usable = ({ disabled }: HTMLButtonElement): boolean => !disabled;
  const control = controls.slice(Math.max(place, 0)).find(usable) ?? controls.find(usable);
  if (control === undefined) message.tabIndex = -1;
  const target = control ?? message;
  if (document.activeElement !== target) target.focus({ preventScroll: true });
}
