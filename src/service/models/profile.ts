import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { eachOnce, GarageCar } from './garage-car.ts';
import { Username } from './identifiers.ts';
import { Item } from './item.ts';
import { flag, moment, number, text } from './leaves.ts';
import { fields, list } from './lenient.ts';
import { Licence } from './licence.ts';
import { Stats } from './stats.ts';

/** Maximum characters of a URL in an embed; Discord refuses the whole message for a longer one. */
const LONGEST = 2048;

/** Host names that resolve only in a private network, or nowhere. */
const PRIVATE = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion)$/;

/** Whether the host means the same to everyone on the internet. A URL's IPv6 host stands in brackets. */
function isPublic(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name.includes('.') && !isIPv4(name) && !name.startsWith('[') && !PRIVATE.test(name);
}

/**
 * The URL of an image that Discord fetches for everyone: https on a public host, without credentials. The service
 * sends it protocol-relative.
 */
const imageUrl = z
  .string()
  .max(LONGEST)
  .transform((address) => URL.parse(address.startsWith('//') ? `https:${address}` : address))
  .pipe(z.instanceof(URL))
  .refine(({ protocol, hostname, username, password }) => {
    return protocol === 'https:' && isPublic(hostname) && username === '' && password === '';
  })
  .transform(({ href }) => href)
  .pipe(z.string().max(LONGEST));

const countryCode = text.pipe(
  z
    .string()
    .regex(/^[a-z]{2}$/i)
    .toLowerCase(),
);

export const Profile = z
  .object({
    // A name that cannot be asked for cannot be the driver who was asked for.
    username: text.pipe(Username),
    ...fields({
      nickname: text,
      isOnline: flag,
      insimAdmin: flag,
      adminLevel: number,
      needsCopTraining: flag,
      money: number,
      dateJoined: moment,
      dateLastSeen: moment,
      countryCode: countryCode,
      countrycode: countryCode,
      flag: imageUrl,
      stats: Stats,
      licenses: list('licence', Licence),
      licences: list('licence', Licence),
      properties: list('property', Item),
      cars: list('car', GarageCar),
    }),
  })
  .transform((raw) => ({
    username: raw.username,
    /** In-game text with its colour codes. */
    nickname: raw.nickname,
    online: raw.isOnline,
    insimAdmin: raw.insimAdmin,
    adminLevel: raw.adminLevel,
    needsCopTraining: raw.needsCopTraining,
    money: raw.money,
    joined: raw.dateJoined,
    lastSeen: raw.dateLastSeen,
    /** Two lower-case letters. */
    country: raw.countryCode ?? raw.countrycode,
    flag: raw.flag,
    stats: raw.stats,
    licences: raw.licenses ?? raw.licences,
    properties: raw.properties,
    cars: raw.cars && eachOnce(raw.cars),
  }));
export type Profile = z.output<typeof Profile>;
