import { isIPv4 } from 'node:net';
import { z } from 'zod';

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
