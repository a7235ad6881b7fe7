import { byId } from './element.ts';
import type { Reader } from './reader.ts';

/** The words of the static HTML, which has none of its own. */
export function labelPage({ locale, t }: Reader): void {
  document.documentElement.lang = locale;
  document.title = t('page.title');
  byId('channels').ariaLabel = t('page.channels');
  byId('members').ariaLabel = t('page.members');
  byId('faults').ariaLabel = t('page.wrong');
  byId('messages').ariaLabel = t('page.messages');
  byId('open-channels').ariaLabel = t('page.channels');
  byId('open-members').ariaLabel = t('page.members');
  byId('wrong').textContent = t('page.wrong');
  byId('lost').textContent = t('page.lost');
}
