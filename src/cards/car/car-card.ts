import type { Translator } from '../../i18n/translator.ts';
import type { Car } from '../../service/models/car.ts';
import type { Answer } from '../../service/models/dated.ts';
import { sameSpelling, Username, Vin } from '../../service/models/identifiers.ts';
import { plain, visibleName } from '../../text/plain.ts';
import { bar } from '../kit/bar.ts';
import { type Button, buttons, type Card, type Row, refreshButton } from '../kit/card.ts';
import { driverMenu } from '../kit/driver-menu.ts';
import { driverInLine } from '../kit/driver-name.ts';
import { embed, type Section } from '../kit/embed.ts';
import { each } from '../kit/fit-lines.ts';
import { asOfLine, oldData } from '../kit/freshness.ts';
import { itemLine } from '../kit/item-line.ts';
import { coloured, fact, joined, named, said } from '../kit/lines.ts';
import { askingPrice, type Offer } from './asking-price.ts';
import { life, type NicknameOf, previousOwners } from './car-life.ts';
import { modelName } from './car-models.ts';
import { backTo, type GaragePage, seenFrom } from './garage-page.ts';
import { wearAndDamage } from './wear-and-damage.ts';

interface CarContext {
  /** The VIN that was asked for: the service has been seen to answer with another one. */
  readonly asked?: string;
  /** Of the car's model, the last seen first. */
  readonly offers?: readonly Offer[];
  /** The page that it was opened from, if any. */
  readonly from?: GaragePage | null;
  readonly nicknameOf?: NicknameOf;
}

/** A car: condition and price first, then its owner, upgrades, and its life. */
export function carCard(
  answer: Answer<Car>,
  t: Translator,
  { asked, offers = [], from = null, nicknameOf = () => null }: CarContext = {},
): Card {
  const car = answer.record;
  const isOther = asked !== undefined && asked !== car.vin.trim();
  const body = {
    title: t('car.title', { model: modelName(car.type, t), vin: plain(car.vin) }),
    colour: colourOf(car),
    lead: [
      ...oldData(answer, t),
      ...(isOther ? [t('car.other', { asked })] : []),
      ...conditionLines(car, offers, t),
      ...ownerLines(car, t),
      ...oddments(car, t),
    ],
    tail: asOfLine(answer, t),
    sections: [upgrades(car, t), life(car, nicknameOf, t)],
  };
  return { embeds: [embed(body, t)], components: controls(car, from, nicknameOf, t) };
}

function ownerLines({ owner, nickname }: Car, t: Translator): readonly string[] {
  if (owner === null && visibleName(nickname ?? '') === null) return [t('car.noOwner')];
  return [...fact(t('car.owner'), driverInLine({ username: owner, nickname })), ...coloured(nickname, t)];
}

/** The state that matters to whoever drives or buys it; wear and damage explain it. */
function conditionLines(car: Car, offers: readonly Offer[], t: Translator): readonly string[] {
  const { condition, wrecked } = car;
  const why = wearAndDamage(car, t);
  const state = joined(condition === null ? null : bar(condition / 100, t), ...why);
  return [
    ...(wrecked === true ? [`**${t('car.wrecked')}**`] : []),
    ...fact(t('car.condition'), state === '' ? null : state),
    ...askingPrice(car, offers, t),
  ];
}

/** The card's stripe repeats the bar, since nothing is told by colour alone. 0xRRGGBB. */
const STRIPES = { good: 0x2ecc71, fair: 0xe6a23c, poor: 0xd9534f };

/** `condition` in percent. */
function colourOf({ condition, wrecked }: Car): number | null {
  if (wrecked === true) return STRIPES.poor;
  if (condition === null) return null;
  return condition >= 80 ? STRIPES.good : condition >= 50 ? STRIPES.fair : STRIPES.poor;
}

function oddments(car: Car, t: Translator): readonly string[] {
  const kilometres = car.odometerKm === null ? null : t.distance(car.odometerKm * 1000);
  return [...fact(t('car.odometer'), kilometres), ...fact(t('car.code'), code(car, t))];
}

/** The model's code, unless its name already is the code. */
function code({ type }: Car, t: Translator): string | null {
  const shown = said(type ?? '');
  return shown === '' || shown === named(modelName(type, t)) ? null : shown;
}

function upgrades({ upgrades: built }: Car, t: Translator): Section {
  const name = t('car.upgrades');
  if (built === null) return { name, lines: [t('car.upgradesMissing')] };
  if (built.length === 0) return { name, lines: [t('car.noUpgrades')] };
  return {
    name: joined(name, t.number(built.length)),
    lines: each(built, (upgrade) => itemLine(upgrade, t)),
  };
}

/** Buttons need a valid name or VIN. */
function controls(car: Car, from: GaragePage | null, nicknameOf: NicknameOf, t: Translator): readonly Row[] {
  const { vin, owner } = car;
  const username = Username.safeParse(owner);
  const askable = Vin.safeParse(vin);
  const row: Button[] = [];
  if (from !== null) row.push({ ...backTo(from), label: t('car.back') });
  if (username.success) {
    const go = { command: 'profile', subject: username.data };
    row.push({ ...go, action: 'overview', label: t('car.ownerButton') });
    if (from === null)
      row.push({
        command: 'garage',
        action: 'condition',
        number: 0,
        subject: username.data,
        label: t('car.garageButton'),
      });
  }
  if (askable.success) {
    const again = { command: 'car', action: '', subject: askable.data };
    row.push(refreshButton(from === null ? again : seenFrom(askable.data, from), t));
  }
  const before = previousOwners(car)
    .filter((username) => owner === null || sameSpelling(username) !== sameSpelling(owner))
    .map((username) => ({ username, nickname: nicknameOf(username) }));
  return [...driverMenu(before, t), ...(row.length === 0 ? [] : [buttons(...row)])];
}
