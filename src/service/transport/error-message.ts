import type { Call } from '../call.ts';

const things = '(?:user ?names?|users?|players?|drivers?|profiles?|accounts?|cars?|vehicles?|vins?)';
/** Each captures the words beside it. "Unkown user" is the service's own spelling. */
const unknownForms = [
  `^\\W*(?:unkn?own|no such|invalid|(?:could|can) ?not find|(?:couldn|can)['’]t find)(?: the| an?| any| such)? ${things}\\b(.*)$`,
  `^\\W*no ${things}\\b(.*?)\\b(?:found|exists?|with|named|called|by)\\b(.*)$`,
  `^\\W*(?:the |this |that |requested )*${things}\\b(.*?)\\b(?:not found|(?:does not|doesn['\u2019]t|not) exist|unkn?own|not known)\\W*$`,
].map((form) => new RegExp(form, 'is'));
/** Other words that such a message may contain. Any further word is about something else that is unknown or missing. */
const besides = new Set(
  `a an any are be been by called car cars check correct does driver entered exist exists for found game given has have
  here i id in is it known looking match matches matching name named no not of on or player please profile provided
  requested sorry specified spelling such that the this to user username vehicle vin was we with you your`.split(
    /\s+/,
  ),
);
/** PHP's words for a missing database driver, which in a driving game sound like a missing person. */
const noDatabaseDriver = /^\W*could not find driver\W*$/i;
const key = String.raw`\b(?:api[ _-]?)?(?:keys?|key[ _-]?id)\b|\bapikey\b|tokens?\b|\bagents?\b`;
const refusing = String.raw`\bin(?:valid|correct|active)|missing|unkn?own|\bexpire|wrong|\bbad\b|revoked|disabled|deactivated|suspended|\bdeni|\bdeny|forbid|blocked|banned|reject|refuse|mismatch|malformed|authori[sz]|require|\bneed|\bmust\b|without|\bno\b|\bnot\b|n['\u2019]t\b`;
/** Gap within one sentence: the error may be about many things, and name a key in another sentence. */
const nearby = '[^.!?\\n]{0,40}';
const keyRefused = new RegExp(`(?:${refusing})${nearby}(?:${key})|(?:${key})${nearby}(?:${refusing})`, 'i');
/** Each says the same of the caller without naming a key: the documented sentence, and how others spell it. */
const notAuthorised = /\b(?:not|un).{0,20}authori[sz]ed/i;
/** Words of programs, databases and parsers, whose keys, tokens and agents are none of ours. */
const bug =
  /undefined|uncaught|traceback|stack trace|\bon line \d|\.(?:php|py|cs|js|rb|java)\b|exception|\bfatal|dictionary|\barray\b|\bindex\b|\boffset\b|null (?:pointer|reference)|object reference|unexpected (?:token|end|character)|(?:syntax|parse|type|key|value|attribute) ?error|(?:duplicate|primary|foreign|unique|array|cache|index|sort|partition|encryption|public|private|hash|map)[ _-](?:\w+ )?keys?\b|duplicate entry|\bcolumn\b|where clause|constraint|deadlock|access denied for user|\bkey:? ["'`]?(?:user|username|vin|server|stats|cars|licen[cs]es|upgrades|properties|preowners)\b|\b(?:json|xml|csrf|session|refresh|undefined)\b.{0,20}\btoken|\btoken.{0,20}\b(?:json|xml|position)\b/i;
const trouble =
  /data ?base|\bsql|\bquery|column|\btable|server|backend|upstream|connection|time[d ]*.?out|maintenance|unavailable|overload|internal|exception|fatal|service|try again|\bdown\b/i;
const wrongAddress = /page|route|path|url|endpoint|cannot (?:get|find \/)|method|command|file/i;
const limited =
  /rate.?limit|error code:? ?1015\b|too.?many.?(?:requests|attempts|(?:api )?calls|queries)|(?:requests?|calls?|usage|over.?query).{0,30}(?:limit|quota)|(?:limit|quota).{0,30}(?:requests?|calls)|throttl|(?:request|\bapi|call|^\W*)\W*rate.{0,12}(?:exceed|too (?:high|fast))|exceed\w*.{0,40}(?:requests?|calls)\b|quota.{0,20}(?:exceeded|reached)/i;
/** Only for a refusal: "memory limit exceeded" is trouble. */
const limitedIfRefused =
  /(?:limit|quota).{0,20}(?:exceeded|reached)|exceed\w*.{0,40}(?:limit|quota)|slow.?down|too (?:fast|often|frequent)/i;
const ourAddress = /\bhosts?\b|\bip\b|address|\borigin\b|\bdomain\b|referr?er/i;
const refused =
  /not.{0,20}(?:authori[sz]ed|allowed|permitted|listed|on (?:the|our) list)|unauthori[sz]ed|denied|forbidden|blocked|banned|\bblacklist/i;
const command = /\b(?:commands?|methods?|endpoints?|operations?|functions?|actions?)\b/i;
const notImplemented = /not.{0,3}(?:implemented|supported)|unsupported/i;

/**
 * The service's documented sentences, in lower case. One of them by itself is no echo of a name, and decides whatever
 * the status beside it.
 */
const published = new Set([
  'bad request',
  'not authorised',
  'host not allowed',
  'rate limited exceeded',
  'command not allowed',
  'not implemented',
]);
function isPublished(message: string): boolean {
  return published.has(message.toLowerCase().replaceAll(/^\W+|\W+$/g, ''));
}

const LETTER = '[\\p{L}\\p{N}]';
/** Between two words of a name, however the service has encoded it. */
const BETWEEN = '(?:%[\\da-f]{2}|[^\\p{L}\\p{N}])*';

/**
 * The message without the names that we asked for: a player may be called "rate limit", and a message that repeats the
 * name must not be read as a refusal.
 */
export function withoutNames(message: string, call: Call): string {
  if (isPublished(message)) return message;
  return Object.values(call.query).reduce((rest, name) => {
    const words = wordsIn(name);
    if (words.length === 0) return rest;
    return rest.replaceAll(new RegExp(`(?<!${LETTER})${words.join(BETWEEN)}(?!${LETTER})`, 'giu'), '…');
  }, message);
}

/** Subject of an error message. Only the message tells the four meanings of a 403 apart. */
export const messageSubject = {
  aPublishedSentence: isPublished,
  trouble: (message: string): boolean => trouble.test(message) || noDatabaseDriver.test(message),
  aBug: (message: string): boolean => bug.test(message),
  wrongAddress: (message: string): boolean => wrongAddress.test(message),
  ourAddress: (message: string): boolean => ourAddress.test(message) && refused.test(message),
  /** The word alone is no evidence: a refusing one stands beside it, or it is the documented sentence. */
  ourKey: (message: string): boolean => keyRefused.test(message) || notAuthorised.test(message),
  aCommand: (message: string): boolean => command.test(message) && refused.test(message),
  notImplemented: (message: string): boolean => notImplemented.test(message),
  aRefusal: (message: string): boolean => refused.test(message),
  aLimit: (message: string, refusing: boolean): boolean =>
    limited.test(message) || (refusing && limitedIfRefused.test(message)),

  /**
   * Returns whether the name we asked for is unknown. The message may repeat the name, which may read like
   * trouble ("Unknown user database"). One about another user, or about a part of a user, says nothing about ours.
   */
  anUnknownName(message: string, call: Call): boolean {
    const match = [message, withoutNames(message, call)]
      .flatMap((text) => unknownForms.map((form) => form.exec(text)))
      .find((form) => form !== null);
    if (match === undefined || noDatabaseDriver.test(message)) return false;
    const queryWords = new Set(wordsIn(Object.values(call.query).join(' ')));
    const otherWords = wordsIn(match.slice(1).join(' '));
    return otherWords.every((word) => besides.has(word) || queryWords.has(word));
  },
};

/** In lower case; HTML's entities are none. */
function wordsIn(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replaceAll(/&#?\w+;/g, ' ')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
