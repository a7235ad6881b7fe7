import { isIP } from 'node:net';
import { z } from 'zod';

/** Characters of an address in an embed; Discord refuses the whole message for a longer one. */
const LONGEST = 2048;

/** Names that lead into somebody's own network, or to nobody's. */
const PRIVATE = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|onion)$/;

/** Whether anybody on the internet could mean the same by it. */
function isPublic(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name.includes('.') && isIP(name) === 0 && !name.startsWith('[') && !PRIVATE.test(name);
}

/**
 * The address of an image that Discord fetches for everyone: https and a public host, without a password. The service
 * sends it protocol-relative.
 */
export const imageUrl = z
  .string()
  .max(LONGEST)
  .transform((address) => URL.parse(address.startsWith('//') ? `https:${address}` : address))
  .pipe(z.instanceof(URL))
  .refine(({ protocol, hostname, username, password }) => {
    return protocol === 'https:' && isPublic(hostname) && username === '' && password === '';
  })
  .transform(({ href }) => href)
  .pipe(z.string().max(LONGEST));
