import type { Answer } from '../../service/client.ts';
import { type Car, Username, Vin } from '../../service/models/models.ts';
import { displayName, plain } from '../../text/plain.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Words } from '../../i18n/translator.ts';
import { bar } from '../kit/bar.ts';
import { modelName } from './car-models.ts';
import { type Button, buttons, type Card, type Row } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';
import { each } from '../kit/fit-lines.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { coloured, fact, joined, named, said } from '../kit/lines.ts';
import { ownersTimeline } from './owners-timeline.ts';
import { writeAction } from '../profile/profile-action.ts';
import { thingLine } from '../profile/thing-line.ts';

/** A car: what it is and whose, how it is, what is built in, and through whose hands it went. */
export function carCard(answer: Answer<Car>, words: Words): Card {
  const car = answer.record;
  const body = {
    title: words.text('car.title', { model: modelName(car.type, words), vin: plain(car.vin) }),
    lead: [...oldData(answer, words), ...ownerLines(car, words), ...stateLines(car, words)],
    sections: [upgrades(car, words), ownersTimeline(car, words), asOf(answer, words)],
  };
  return { embeds: [embed(body, words)], components: controls(car, words) };
}

function ownerLines({ owner, nickname }: Car, words: Words): readonly string[] {
  if (owner === null) return [words.text('car.noOwner')];
  const username = displayName(null, owner);
  const name = displayName(nickname, owner);
  const both = name === username ? named(name) : `${named(name)} (${named(username)})`;
  return [...fact(words.text('car.owner'), both), ...coloured(nickname, words)];
}

function stateLines(car: Car, words: Words): readonly string[] {
  const percentBar = (value: number | null): string | null =>
    value === null ? null : bar(value / 100, words);
  const day = (moment: number | null): string | null => (moment === null ? null : timestamp(moment, 'day'));
  const kilometres = car.odometerKm === null ? null : words.distance(car.odometerKm * 1000);
  return [
    ...(car.wrecked === true ? [`**${words.text('car.wrecked')}**`] : []),
    ...forSale(car, words),
    ...fact(words.text('car.odometer'), kilometres),
    ...fact(words.text('car.condition'), percentBar(car.condition)),
    ...fact(words.text('car.wear'), percentBar(car.wear)),
    ...fact(words.text('car.damage'), percentBar(car.damage)),
    ...fact(words.text('car.built'), day(car.built)),
    ...fact(words.text('car.bought'), day(car.purchased)),
    ...fact(words.text('car.code'), code(car, words)),
  ];
}

/** The model's code, where its name does not say it already. */
function code({ type }: Car, words: Words): string | null {
  const shown = said(type ?? '');
  return shown === '' || shown === named(modelName(type, words)) ? null : shown;
}

/** A price means "for sale" unless the service says otherwise (interface §2.5: it is 0 when not on the market). */
function forSale({ onMarket, marketPrice }: Car, words: Words): readonly string[] {
  if (!(onMarket ?? marketPrice !== null)) return [];
  const text =
    marketPrice === null ? words.text('car.forSale') : words.text('car.forSaleAt', { amount: marketPrice });
  return [`**${text}**`];
}

function upgrades({ upgrades: built }: Car, words: Words): Section {
  const name = words.text('car.upgrades');
  if (built === null) return { name, lines: [words.text('car.upgradesUntold')] };
  if (built.length === 0) return { name, lines: [words.text('car.noUpgrades')] };
  return {
    name: joined(name, words.number(built.length)),
    lines: each(built, (upgrade) => thingLine(upgrade, words)),
  };
}

/** A button asks by name or VIN; what nobody may ask for gets none. */
function controls({ vin, owner }: Car, words: Words): readonly Row[] {
  const username = Username.safeParse(owner);
  const askable = Vin.safeParse(vin);
  const row: Button[] = [];
  if (username.success) {
    const subject = username.data;
    const go = { command: 'profile', subject };
    row.push(
      {
        ...go,
        action: writeAction({ view: 'overview', page: null }),
        label: words.text('car.ownerButton'),
      },
      { ...go, action: writeAction({ view: 'garage', page: null }), label: words.text('car.garageButton') },
    );
  }
  if (askable.success)
    row.push({
      command: 'car',
      action: 'refresh',
      subject: askable.data,
      label: words.text('card.refresh'),
      emoji: '🔄',
    });
  return row.length === 0 ? [] : [buttons(...row)];
}
