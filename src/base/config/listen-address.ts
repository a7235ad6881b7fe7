import { z } from 'zod';

/** Address to listen on for HTTP. */
export interface ListenAddress {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  /** The system chooses a free port for 0. */
  readonly port: number;
}

const ADDRESS_PATTERN = /^(?:(?<name>[\w.-]+):|\[(?<ipv6>[\da-f:.]+)\]:)?(?<port>\d{1,5})$/i;
const MAX_PORT = 65_535;

/** A port, on this machine alone; or an address and a port, to be reachable from others. */
export const ListenAddress = z.string().transform((text, context): ListenAddress => {
  const { name, ipv6, port = '' } = ADDRESS_PATTERN.exec(text)?.groups ?? {};
  if (port === '' || Number(port) > MAX_PORT) {
    context.addIssue({ code: 'custom', message: 'is neither a port nor an address with a port' });
    return z.NEVER;
  }
  return { host: name ?? ipv6 ?? '127.0.0.1', port: Number(port) };
});
