/** `npm run doctor`: what is wrong and what to do. Exit code 0 or 1; `--json` prints one JSON document instead. */
import { systemClock as clock } from '../base/clock.ts';
import { readStorePlace } from '../base/config.ts';
import { readEnvironment } from '../base/environment.ts';
import { StartError } from '../base/errors.ts';
import { createRedactor } from '../base/log.ts';
import { examineAll } from './doctor/examine.ts';
import { createReport, describeReport, troubleFinding } from './doctor/finding.ts';

const USAGE =
  'npm run doctor says what is wrong and how to fix it, also beside a running bot; npm run doctor -- --json prints one JSON document\n';
const [, , option = ''] = process.argv;

if (option === '' || option === '--json') process.exit(await main(option !== ''));
process.stdout.write(USAGE);
process.exit(option === '--help' ? 0 : 1);

async function main(asJson: boolean): Promise<number> {
  const environment = readable();
  const report = createReport(
    environment instanceof StartError
      ? { settings: troubleFinding(environment.message) }
      : await examineAll(environment, clock),
  );
  const text = asJson ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report);
  process.stdout.write(createRedactor(environment instanceof StartError ? [] : secretsIn(environment))(text));
  return report.healthy ? 0 : 1;
}

function readable(): ReturnType<typeof readEnvironment> | StartError {
  try {
    return readEnvironment();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}

/** Returns the secrets, also of settings that cannot be used. */
function secretsIn(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const place = readStorePlace(environment);
  const password = 'kind' in place && place.kind === 'postgres' ? place.secrets : [];
  return [environment['DISCORD_TOKEN']?.trim() ?? '', environment['SERVICE_KEY']?.trim() ?? '', ...password];
}
