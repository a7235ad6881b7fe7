/** The sandbox's data service, with live files full of drivers before it. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Names as drivers have them: codes, escapes, other alphabets, markup. */
const names = [
  '^7[^1TC^7] ^2Kenny^8',
  '^1P^3r^2o^6D^4r^5i^7v^0er ^vpro^v',
  'Příliš žluťoučký',
  '日本^1語',
  'a_b*c`d',
];

const SECOND = 1000;
/** Seconds that a driver stays, on average. */
const STAY = 20 * 60;
const FILES = ['one', 'two', 'three', 'four'] as const;
const PLACES = ['Safe Zone', '^3South City', 'Old Airport', 'Rockingham ^7» pit lane', 'Fern Bay'];

interface Driver {
  readonly id: number;
  readonly nickname: string;
  place: number;
  cop: boolean;
  chased: boolean;
}

export interface Crowd {
  /** For SERVICE_URL. */
  readonly url: string;
  /** When each version of the files came out, by the process's clock, oldest first. */
  readonly versions: readonly number[];
  /** How many drivers of the first server have their hazard lights on in that version, by which a card tells it. */
  hazardsIn(version: number): number;
  /** How often the files were asked for. */
  readonly fetches: number;
  close(): void;
}

/**
 * Four files of so many drivers each, written every second: everybody moves, one in five has another place, some go on
 * duty or are chased, and one in {@link STAY} leaves for somebody new. All else is answered by the service at `behind`.
 */
export async function createCrowd(behind: string, drivers: number): Promise<Crowd> {
  const servers = FILES.map((_, file) => newDrivers(file * 1_000_000, drivers));
  const versions: number[] = [];
  const hazardsIn = (version: number): number => 1 + (version % (drivers - 1));
  let bodies: readonly Buffer[] = [];
  let fetches = 0;

  function write(): void {
    const version = versions.length;
    for (const all of servers) move(all);
    bodies = servers.map((all, file) => bodyOf(all, file === 0 ? hazardsIn(version) : 0, version));
    versions.push(performance.now());
  }
  write();
  const writing = setInterval(write, SECOND);

  const server = createServer((asked, answer) => {
    const file = FILES.findIndex((name) => asked.url === `/json/status_${name}.json`);
    const body = bodies[file];
    if (body === undefined) {
      const passed = request(behind + (asked.url ?? ''), { headers: asked.headers }, (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      });
      passed.on('error', () => answer.destroy()).end();
      return;
    }
    fetches += 1;
    answer.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    versions,
    hazardsIn,
    get fetches() {
      return fetches;
    },
    close() {
      clearInterval(writing);
      server.close();
      server.closeAllConnections();
    },
  };
}

function newDrivers(first: number, count: number): Driver[] {
  return Array.from({ length: count }, (_, index) => newDriver(first + index));
}

function newDriver(id: number): Driver {
  const nickname = `${names[id % names.length] ?? ''} ${id}`;
  return { id, nickname, place: id % PLACES.length, cop: id % 25 === 0, chased: false };
}

function move(all: Driver[]): void {
  for (const [index, driver] of all.entries()) {
    const chance = Math.random();
    if (chance < 1 / STAY) all[index] = newDriver(driver.id + all.length);
    if (chance > 0.8) driver.place += 1;
    if (chance > 0.99) driver.cop = !driver.cop;
    if (chance < 0.01) driver.chased = !driver.chased;
  }
}

/** As the first generation writes it, with all that the later one says of a driver. */
function bodyOf(all: readonly Driver[], hazards: number, version: number): Buffer {
  const player = ({ id, nickname, place, cop, chased }: Driver, index: number) => [
    String(index + 1),
    {
      siren: chased,
      med: false,
      caution: false,
      tow: id % 40 === 1,
      cop,
      isChased: chased,
      isJoining: false,
      hazard: index < hazards,
      un: usernameOf(id),
      nn: nickname,
      l: PLACES[place % PLACES.length],
      v: id.toString(36).padStart(5, '0').slice(-5).toUpperCase(),
      s: (id * version) % 240,
    },
  ];
  return Buffer.from(JSON.stringify({ time: Date.now(), players: Object.fromEntries(all.map(player)) }));
}

/** Of one of the first drivers of a file, too. */
export function usernameOf(id: number): string {
  return `driver ${id}`;
}
