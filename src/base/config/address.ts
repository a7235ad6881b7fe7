import { z } from 'zod';

/** A base URL for requests: https, or plain http if it does not leave the machine. */
export const Address = addressWithin(isLoopback, 'is plain http to another machine; use https');

/** {@link Address} that may also use plain http over a private network. */
export const NearAddress = addressWithin(isNearby, 'is plain http to another network; use https');

function addressWithin(isSafe: (url: URL) => boolean, unsafe: string) {
  return z.string().transform((text, context) => {
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const url = URL.parse(text);
    if (url === null || !/^https?:\/\//i.test(text)) return refuse('is not an http or https URL');
    if (url.username !== '' || url.password !== '') return refuse('holds a user name or password');
    // An empty query or fragment disappears from the parsed URL but would swallow a path added to it.
    if (/[?#]/.test(text)) return refuse('holds a query or fragment');
    if (url.protocol === 'http:' && !isSafe(url)) return refuse(unsafe);
    return url.href.replace(/\/+$/, '');
  });
}

/**
 * A host is on a private network: loopback, a private address (RFC 1918, RFC 4193), or a name without a
 * dot, such as a container's, which no public name server resolves.
 */
export function isNearby(url: URL): boolean {
  const { hostname } = url;
  const isPrivate =
    /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname) ||
    /^\[f[cd][\da-f:]+\]$/.test(hostname);
  return isLoopback(url) || isPrivate || /^[\w-]+$/.test(hostname);
}

/** A request to this host stays on this machine. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
