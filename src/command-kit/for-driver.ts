import { ServiceError, UserError } from '../base/errors.ts';
import { linkButton } from '../cards/kit/link-buttons.ts';
import type { Link } from '../community/accounts/links.ts';
import { formatMoment } from '../i18n/timestamp.ts';
import type { Translator } from '../i18n/translator.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import { escapeMarkdown } from '../text/names.ts';
import type { Context } from './context.ts';
import type { CalledPlayer } from './names/nicknames.ts';
import type { Reply } from './reply.ts';

/** A mention in the text of an option, as Discord sends it. */
const MENTION = /^<@!?(?<id>\d{15,20})>$/;

type DriverContext = Pick<Context, 'store' | 'hidden' | 'person' | 't' | 'recentNames'>;

interface LinkedDriver {
  readonly username: string;
  readonly linked: { readonly link: Link; readonly personId: string };
}

/** `linked`: null where the name was typed. */
type DriverChoice = LinkedDriver | { readonly username: string; readonly linked: null };

/**
 * Answers about the driver named by `player`: by login name, by mention, or null for the person's own. Where
 * nobody logs in with that name and it is the in-game name of one known driver only, the answer is about that one and
 * says so. Throws a {@link UserError} where none is linked, or where the service does not know the linked one any more.
 */
export async function forDriver(
  player: string | null,
  asking: DriverContext,
  show: (username: string) => Promise<Reply>,
  /** The command whose window a person without a driver is offered. */
  linkingCommand = 'link',
): Promise<Reply> {
  return showDriver(await driverOf(player, asking, linkingCommand), asking, show);
}

/** Runs the command for the driver of a person. `by`: the source of that link. */
export async function runForDriverOf(
  personId: string,
  asking: DriverContext,
  show: (username: string, by: Link['by'] | 'proved') => Promise<Reply>,
): Promise<Reply> {
  const driver = await linkedDriver(personId, asking, () => unlinkedError('link.none', asking.t));
  const { by, proved } = driver.linked.link;
  return showDriver(driver, asking, (username) => show(username, proved === null ? by : 'proved'));
}

async function showDriver(
  driver: DriverChoice,
  asking: DriverContext,
  show: (username: string) => Promise<Reply>,
): Promise<Reply> {
  try {
    return await show(driver.username);
  } catch (error) {
    if (!isMissOf(driver.username, error)) throw error;
    if (driver.linked !== null) throw lostLinkError(driver, asking);
    const similarDriver = asking.recentNames.playersCalled(driver.username).find(({ fit }) => fit === 'only');
    if (similarDriver === undefined) throw error;
    return withWord(await shownInstead(similarDriver, show, error), similarDriver, asking);
  }
}

async function driverOf(
  player: string | null,
  asking: DriverContext,
  linkingCommand: string,
): Promise<DriverChoice> {
  const { person, t } = asking;
  const ownMissing = () => unlinkedError(player === null ? 'link.missing' : 'link.none', t, linkingCommand);
  if (player === null) return linkedDriver(person.id, asking, ownMissing);
  const mentioned = MENTION.exec(player)?.groups?.['id'];
  return mentioned === undefined
    ? { username: player, linked: null }
    : linkedDriver(mentioned, asking, ownMissing);
}

/** Refuses a person who has linked no driver, with the button that opens the window of that command. */
export function unlinkedError(
  textKey: 'link.none' | 'link.missing',
  t: Translator,
  linkingCommand = 'link',
): UserError {
  return new UserError(t(textKey), { nextStep: linkButton(linkingCommand, t) });
}

/** `ownMissing`: the refusal of the person who asks and has linked no driver. */
async function linkedDriver(
  personId: string,
  asking: DriverContext,
  ownMissing: () => UserError,
): Promise<LinkedDriver> {
  const { store, person, t } = asking;
  const isOther = personId !== person.id;
  const link = await store.links.of(personId, person.guildId);
  if (link !== null && (!isOther || isForOthers(link, personId, asking)))
    return { username: link.username, linked: { link, personId } };
  throw isOther ? new UserError(t('link.missingOf', { person: `<@${personId}>` })) : ownMissing();
}

/** Anybody can know an account's id: whose driver it is, only members of the same guild read, of hidden ones nobody. */
function isForOthers(link: Link, personId: string, { person, hidden }: DriverContext): boolean {
  return person.members?.has(personId) === true && !link.hidden && !hidden.isHidden(link.username);
}

/**
 * Only the service says that a login name does not exist: a driver of whom the bot has seen nothing may well. Of two names
 * in one command, only the one that was missed may be taken otherwise.
 */
function isMissOf(username: string, error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.unknownName !== null && sameSpelling(error.unknownName) === sameSpelling(username);
}

/** A link is made with a name that the service knew. */
function lostLinkError(
  { username, linked: { link, personId } }: LinkedDriver,
  { person, t }: DriverContext,
): UserError {
  const player = escapeMarkdown(username);
  if (personId !== person.id) return new UserError(t('link.lostOf', { player, person: `<@${personId}>` }));
  return new UserError(t(`link.lost.${link.by}`, { player }));
}

async function shownInstead(
  { username }: CalledPlayer,
  show: (username: string) => Promise<Reply>,
  missed: unknown,
): Promise<Reply> {
  try {
    return await show(username);
  } catch (error) {
    // Nobody typed that name.
    throw isMissOf(username, error) ? missed : error;
  }
}

function withWord(reply: Reply, { username, nickname, at }: CalledPlayer, { t }: DriverContext): Reply {
  const ago = formatMoment(at, 'relative', t);
  const word = t('link.byNickname', {
    nickname: escapeMarkdown(nickname),
    player: escapeMarkdown(username),
    ago,
  });
  return { ...reply, content: reply.content === undefined ? word : `${word}\n${reply.content}` };
}
