import type { FaultName as ChatFault } from '../../chat/state/faults.ts';
import type { FaultName as ServiceFault } from '../../service/faults.ts';

/** Meaning of each fault, for the ⚡ panel. */
export const serviceFaults = {
  down: 'It is down',
  unreachable: 'It cannot be reached',
  slow: 'It is slow: answers after ten seconds',
  html: 'It answers with a web page',
  'broken-json': 'Its answers are cut in half',
  unauthorised: 'It no longer accepts the key',
  'host-not-allowed': 'It refuses the key from this address',
  'over-limit': 'The key has no requests left',
  'widget-off': 'The community has switched its widget off: no list of members',
  'frozen-clock': 'The live files stand still',
  'later-generation': 'A later version of it',
  'php-empties': 'It writes loosely: {} as [], numbers as text',
  'hostile-names': 'People take names that break messages',
} satisfies Record<ServiceFault, string>;

export const chatFaults = {
  'rest-500': 'Every request answers 500',
  'rest-slow': 'Every answer takes 2 seconds',
  'rest-lost': 'Every request ends in a closed connection',
  'rate-limited': 'Every request answers 429',
  'read-500': 'Reading messages answers 500',
  'read-unanswered': 'Reading messages is never answered',
  'post-500-after-create': 'A message is sent, the answer is 500',
  'post-502-after-create': 'A message is sent, the answer is 502',
  'post-lost': 'A message is sent, the connection closes before the answer',
  'post-unanswered': 'A message is sent, the answer never comes',
  'upload-refused': 'Every upload of a file is refused as too large',
  'answer-lost': 'A command is answered, the connection closes before the answer to that',
  'answer-500': 'A command is answered, the answer to that is 500',
  'direct-closed': 'People do not accept direct messages from the bot',
  'publish-429': 'Publishing commands answers 429, to be tried again in a day',
  'publish-500': 'Publishing commands answers 500',
  'edit-30046': 'Every edit answers 30046 (message older than an hour)',
  'late-interactions': 'Commands reach the bot after 3.5 seconds',
  'guild-unavailable': 'The server is unavailable',
  'gateway-drop': 'Cut the live connection once (it can resume)',
  'gateway-reconnect': 'Ask for a new live connection once',
  'gateway-invalid': 'Cut the live connection once and forget the session',
} satisfies Record<ChatFault, string>;
