/** Fills the page for a newcomer: a welcome, a profile that somebody has asked for, and a board in its channel. */
import { type APIMessage, ComponentType, type Locale } from 'discord.js';
import type { ChatServer, LocalChat } from './chat/chat-server.ts';
import type { Visitor } from './chat/visitor/visitor.ts';
import { namesIn } from './page/chat-view.ts';
import type { DataService } from './service/data-service.ts';
import { DAY } from './service/world/time.ts';

/**
 * Members use the bot as they would on any day, in the newcomer's language. By somebody else than the page's first
 * visitor where possible, whose private replies would stand below the board. Resolves when the replies are there, or
 * have failed: then the page shows that.
 */
export async function firstLook(chat: ChatServer, dataService: DataService, locale: Locale): Promise<void> {
  const [reader, ...members] = chat.people.map((person) => chat.visitor(person, { locale }));
  const [channel] = chat.channels;
  const live = chat.channels.find(({ name }) => name === 'live-servers');
  const driver = bringDriver(dataService, Date.now());
  const host = members[0] ?? reader;
  if (channel !== undefined && host !== undefined)
    host.say(channel.id, welcome(chat, dataService, host, driver));
  const offered = (channelId: string, command: string) =>
    members.find((member) => member.commands(channelId).some(({ name }) => name === command));
  const asks: Promise<unknown>[] = [];
  if (live !== undefined) {
    const asked = offered(live.id, 'board')?.invoke(live.id, 'board create', [
      { name: 'channel', value: live.id },
    ]);
    if (asked !== undefined) asks.push(asked);
  }
  if (channel !== undefined && driver !== undefined) {
    const member = offered(channel.id, 'profile');
    if (member !== undefined) asks.push(askForPicture(member, channel.id, driver));
  }
  await Promise.allSettled(asks);
}

/**
 * Somebody asks the bot for its first answer and its first picture, which take it longest, before anybody looks. Resolves when
 * the picture has come, or does not come.
 */
export async function awaitFirstPicture(
  chat: LocalChat,
  { drivers }: Pick<DataService, 'drivers'>,
): Promise<void> {
  const member = chat.visitor(chat.people.at(-1) ?? '');
  const message = await askForPicture(member, chat.directChannel(member.id), drivers[0] ?? '');
  if (message !== null) chat.moderator.deleteMessage(message.id);
}

/** A bot that draws answers each time within five seconds, and has drawn something after a minute. */
const MAX_TRIES = 12;

/** Presses *Picture* below the text that comes for a late picture, as a person does. The last answer; null for none. */
async function askForPicture(member: Visitor, channelId: string, driver: string): Promise<APIMessage | null> {
  const options = [
    { name: 'player', value: driver },
    { name: 'picture', value: true },
  ];
  let answer: APIMessage | null = null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const again: string | null = answer && pictureButton(answer);
    const { message }: { readonly message: APIMessage | null } =
      answer !== null && again !== null
        ? await member.press(answer.id, again)
        : await member.invoke(channelId, 'profile', options);
    answer = message ?? answer;
    if (answer !== null && (answer.attachments.length > 0 || pictureButton(answer) === null)) break;
  }
  return answer;
}

/** The custom id of the *Picture* that replaces the text; null for none. */
function pictureButton({ components = [] }: APIMessage): string | null {
  const ids = components.flatMap((row) =>
    row.type === ComponentType.ActionRow
      ? row.components.map((component) => ('custom_id' in component ? component.custom_id : ''))
      : [],
  );
  return ids.find((id) => id.includes(':drawn:')) ?? null;
}

/** Whether a name has a colour that is neither black nor white, and letters that most visitors read. */
const isColoured = (nickname: string): boolean =>
  /\^[1-6]/.test(nickname) && !/[^\p{Script=Latin}\P{L}]/u.test(nickname);

const hasTwoColours = (nickname: string): boolean => new Set(nickname.match(/\^[0-7]/g)).size > 1;

/** Drivers among whom one with two colours is looked for first: their ranks are worth showing. */
const LEADERS = 10;

/**
 * The driver to show first: one of those with the most time online in a week, who writes their name in colours. They come, and
 * stay for a while, so that the board shows them, too. `now` in unix milliseconds.
 */
export function bringDriver(
  { drivers, past, records, driveAs }: Pick<DataService, 'drivers' | 'past' | 'records' | 'driveAs'>,
  now: number,
): string | undefined {
  const { stays, underWay, outages } = past(now - 7 * DAY);
  const played = new Map<string, number>();
  for (const stay of [...stays, ...underWay]) {
    // Nobody saw what happened during an outage.
    const unseen = outages.map(({ from, to }) => Math.min(to, stay.to) - Math.max(from, stay.from));
    const seen = unseen.reduce((left, span) => left - Math.max(0, span), stay.to - stay.from);
    played.set(stay.driver, (played.get(stay.driver) ?? 0) + seen);
  }
  const ranking = records().toSorted(
    (one, other) => (played.get(other.username) ?? 0) - (played.get(one.username) ?? 0),
  );
  const shown =
    ranking.slice(0, LEADERS).find(({ nickname }) => isColoured(nickname) && hasTwoColours(nickname)) ??
    ranking.find(({ nickname }) => isColoured(nickname));
  if (shown === undefined) return drivers[0];
  driveAs(shown.username, shown.nickname);
  return shown.username;
}

/** A member suggests what to type. The bot speaks for itself. */
function welcome(chat: ChatServer, dataService: DataService, host: Visitor, driver = ''): string {
  const nameOf = namesIn(chat, host);
  const [vin = ''] = dataService.vins;
  const [profile, car] = ['profile', 'car'].map((name) => nameOf('command', name) ?? name);
  const recap = nameOf('command', 'recap');
  const month = recap === null ? '' : ` \`/${recap}\` draws the month of a driver.`;
  return `Welcome! **Pitwall** knows everybody who drives here. Type \`/${profile}\` and start with a name, \`${driver}\` for one, or look a car up with \`/${car}\`, say \`${vin}\`.${month}\n-# The ⚡ above breaks things on purpose: see what the bot says then.`;
}
