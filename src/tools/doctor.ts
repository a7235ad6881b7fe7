/** `npm run doctor`: what is wrong and what to do. Exit code 0 or 1; `--json` prints one JSON document instead. */
import { systemClock as clock } from '../base/clock.ts';
import { readStorePlace } from '../base/config.ts';
import { readEnvironment } from '../base/environment.ts';
import { redactor } from '../base/log.ts';
import { describeReport, examine } from './doctor/examine.ts';

process.exit(await main(process.argv.includes('--json')));

async function main(asJson: boolean): Promise<number> {
  const environment = readEnvironment();
  const report = await examine(environment, clock);
  const text = asJson ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report);
  process.stdout.write(redactor(secretsIn(environment))(text));
  return report.healthy ? 0 : 1;
}

/** Also of settings that cannot be used. */
function secretsIn(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const place = readStorePlace(environment);
  const password = 'kind' in place && place.kind === 'redis' ? place.password : [];
  return [environment['DISCORD_TOKEN']?.trim() ?? '', environment['SERVICE_KEY']?.trim() ?? '', ...password];
}
