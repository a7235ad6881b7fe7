import { modelName } from '../../../src/cards/car/car-models.ts';
import { backTo, type GaragePage, writeCarId } from '../../../src/cards/car/garage-page.ts';
import { conditionBar, wearAndDamage } from '../../../src/cards/kit/bar.ts';
import {
  type ActionRow,
  type Button,
  buttonRow,
  type Card,
  createCard,
  refreshButton,
  type Section,
} from '../../../src/cards/kit/card.ts';
import { driverInLine, driverMenu, type NicknameOf } from '../../../src/cards/kit/driver.ts';
import { linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import { asOf, oldData } from '../../../src/cards/kit/freshness.ts';
import { itemLine, worthOf } from '../../../src/cards/kit/items.ts';
import {
  compact,
  formatDistance,
  formatOptional,
  joinParts,
  labelledFact,
} from '../../../src/cards/kit/lines.ts';
import { tellButtons } from '../../../src/cards/kit/tell-buttons.ts';
import type { Offer } from '../../../src/community/history/history.ts';
import { formatMoment, formatTimestamp } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { Car, PreOwner } from '../../../src/service/models/car.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import { sameSpelling, Username, Vin } from '../../../src/service/models/identifiers.ts';
import { escapeGameText, escapeMarkdown } from '../../../src/text/names.ts';
import { toPlainText, visibleName } from '../../../src/text/plain.ts';

/** A car: condition and price first, then its owner, upgrades, and its life. */
export function carCard(
  answer: Answer<Car>,
  t: Translator,
  facts: {
    /** The VIN that was asked for: the service has been seen to answer with another one. */
    readonly asked?: string;
    /** Offers of the car's model, the latest first. */
    readonly offers?: readonly Offer[];
    /** The page that it was opened from, if any. */
    readonly from?: GaragePage | null;
    readonly nicknameOf?: NicknameOf;
  } = {},
): Card {
  const { asked, offers = [], from = null, nicknameOf = () => null } = facts;
  const car = answer.record;
  const isOther = asked !== undefined && asked !== car.vin.trim();
  const content = {
    title: t('car.title', { model: modelName(car.type, t), vin: toPlainText(car.vin) }),
    colour: colourOf(car),
    lead: [
      oldData(answer, t),
      isOther ? t('car.other', { asked }) : null,
      ...conditionLines(car, offers, t),
      ownedBy(car, t),
      labelledFact(t('car.odometer'), formatDistance(car.odometerKm, t)),
    ],
    tail: asOf(answer, t),
    sections: [upgrades(car, t), life(car, nicknameOf, t)],
    components: controls(car, from, nicknameOf, t),
  };
  return createCard(content, t);
}

function ownedBy({ owner, nickname }: Car, t: Translator): string | null {
  if (owner === null && visibleName(nickname ?? '') === null) return t('car.noOwner');
  return labelledFact(t('car.owner'), driverInLine({ username: owner, nickname }));
}

/** The state that matters to whoever drives or buys it; wear and damage explain it. */
function conditionLines(car: Car, offers: readonly Offer[], t: Translator): readonly (string | null)[] {
  const percent = formatOptional(car.condition, (condition) => conditionBar(condition / 100, t));
  return [
    car.wrecked === true ? `**${t('car.wrecked')}**` : null,
    labelledFact(t('car.condition'), joinParts(percent, ...wearAndDamage(car, t)) || null),
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

function upgrades({ upgrades: built }: Car, t: Translator): Section {
  const name = t('car.upgrades');
  if (built === null) return { name, lines: [t('car.upgradesMissing')] };
  if (built.length === 0) return { name, lines: [t('car.noUpgrades')] };
  return {
    name: joinParts(name, t.number(built.length), worthOf(built, t)),
    // The total worth alone: a figure behind each bar would break every other line on a phone.
    lines: linePerRow(built, (upgrade) => itemLine(upgrade, t)),
  };
}

/** Buttons need a valid name or VIN. */
function controls(
  car: Car,
  from: GaragePage | null,
  nicknameOf: NicknameOf,
  t: Translator,
): readonly ActionRow[] {
  const owner = Username.safeParse(car.owner).data;
  const vin = Vin.safeParse(car.vin).data;
  const garage = { command: 'garage', action: 'condition', number: 0 };
  const carButton = { command: 'car', action: '' };
  const row = compact<Button>(
    from && { ...backTo(from), label: t('car.back') },
    owner === undefined
      ? null
      : { command: 'profile', action: 'overview', subject: owner, label: t('car.ownerButton') },
    owner === undefined || from !== null ? null : { ...garage, subject: owner, label: t('car.garageButton') },
    vin === undefined
      ? null
      : refreshButton(from === null ? { ...carButton, subject: vin } : writeCarId(vin, from), t),
    ...(vin === undefined || isForSale(car) ? [] : tellButtons('car', vin, t)),
  );
  // The last first.
  const previousOwners = purchases(car)
    .previous.flatMap(({ buyer }) => buyer ?? [])
    .filter((username) => car.owner === null || sameSpelling(username) !== sameSpelling(car.owner))
    .map((username) => ({ username, nickname: nicknameOf(username) }))
    .toReversed();
  return [...driverMenu(previousOwners, t), ...(row.length === 0 ? [] : [buttonRow(...row)])];
}

/** A price means "for sale" unless the service says otherwise (it sends 0 for a car not on the market). */
function isForSale({ onMarket, marketPrice }: Car): boolean {
  return onMarket ?? marketPrice !== null;
}

type PricedCar = Offer & { readonly price: number };

/** "For sale at 56,000", and how that compares with others of the model that somebody looked up; empty if it is not. */
function askingPrice(car: Car, offers: readonly Offer[], t: Translator): readonly string[] {
  const { marketPrice: price } = car;
  if (!isForSale(car)) return [];
  if (price === null) return [`**${t('car.forSale')}**`];
  const otherOffers = offers.filter(
    (offer): offer is PricedCar => (offer.price ?? 0) > 0 && offer.vin !== toPlainText(car.vin),
  );
  const middle = otherOffers.length < 2 ? null : median(otherOffers.map((other) => other.price));
  const compared = formatOptional(middle, (known) => difference(price, known, t));
  return compact(
    joinParts(`**${t('car.forSaleAt', { amount: price })}**`, compared),
    marketText(otherOffers, middle, t),
  );
}

/** Returns the range of the prices that were seen: there may be others. */
function marketText(otherOffers: readonly PricedCar[], middle: number | null, t: Translator): string | null {
  const [last] = otherOffers;
  if (last === undefined) return null;
  const ago = formatMoment(last.at, 'relative', t);
  if (middle === null) return t('car.marketOne', { price: last.price, ago });
  const prices = otherOffers.map(({ price }) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  return t('car.market', { count: otherOffers.length, low, high, middle, ago });
}

function difference(price: number, middle: number, t: Translator): string | null {
  if (middle <= 0 || price === middle) return null;
  const share = t.percent(Math.abs(price - middle) / middle);
  return price < middle ? t('car.below', { share }) : t('car.above', { share });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower = 0, upper = 0] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return Math.round((lower + upper) / 2);
}

/**
 * A car's life, latest first: its owner, the previous ones, when it was built; with the kilometres that each one drove:
 * the odometer at their purchase subtracted from that at the next one. If the current owner's purchase is missing, the
 * last previous owner's distance includes the current owner's, and the line says so.
 */
function life(car: Car, nicknameOf: NicknameOf, t: Translator): Section {
  const { previous, present: owned, unlisted } = purchases(car);
  const count = car.preOwnerCount ?? (car.preOwners === null ? null : previous.length);
  return {
    name: t('car.life'),
    lines: compact(
      ownerLine(car, owned, t),
      ...(previous.length === 0
        ? [labelledFact(t('car.previousOwners'), withoutRows(count, t))]
        : latest(previousLines(car, nicknameOf, t).toReversed(), t)),
      previous.length === 0 || unlisted === 0 ? null : t('car.ownersUnlisted', { n: unlisted }),
      joinParts(
        labelledFact(t('car.built'), formatTimestamp(car.built, 'date')),
        labelledFact(t('car.code'), code(car, t)),
      ) || null,
    ),
  };
}

/** The model's code, unless its name already is the code. */
function code({ type }: Car, t: Translator): string | null {
  const modelCode = escapeGameText(type ?? '');
  return modelCode === '' || modelCode === escapeMarkdown(modelName(type, t)) ? null : modelCode;
}

/** Previous owners shown: as many as fit on a phone's screen. */
const MAX_OWNERS = 4;

function latest(owners: readonly string[], t: Translator): readonly string[] {
  const more = owners.length - MAX_OWNERS;
  return more > 0 ? [...owners.slice(0, MAX_OWNERS), t('card.more', { n: more })] : owners;
}

/** The owner, since when, and the kilometres since; null where neither is known. */
function ownerLine(car: Car, owned: PreOwner | null, t: Translator): string | null {
  const date = formatTimestamp(car.purchased ?? owned?.datePurchase ?? null, 'date');
  const run = kilometres(owned?.odometerKm ?? null, car.odometerKm, t);
  if (car.owner === null || (date === null && run === null)) return labelledFact(t('car.bought'), date);
  return joinParts(
    `🔑 **${driverInLine({ username: car.owner, nickname: car.nickname })}**`,
    date && t('car.boughtOn', { date }),
    run && t('car.drove', { distance: run }),
  );
}

/** Oldest first. Where owners are missing, each of them may have come next. */
function previousLines(car: Car, nicknameOf: NicknameOf, t: Translator): readonly string[] {
  const { previous, present: owned, unlisted } = purchases(car);
  return previous.map((owner, index) => {
    const next = unlisted === 0 ? (previous[index + 1] ?? owned) : null;
    const run = kilometres(owner.odometerKm, next === null ? car.odometerKm : next.odometerKm, t);
    return joinParts(
      `**${owner.buyer === null ? '?' : driverInLine({ username: owner.buyer, nickname: nicknameOf(owner.buyer) })}**`,
      // The kilometres of each owner add up to the reading at the next purchase.
      purchase(run !== null && next !== null ? { ...owner, odometerKm: null } : owner, t),
      run && t(next === null ? 'car.sinceThen' : 'car.drove', { distance: run }),
    );
  });
}

function withoutRows(count: number | null, t: Translator): string {
  if (count === null) return t('car.ownersMissing');
  return count === 0 ? t('car.noPreviousOwners') : t('car.ownersCount', { n: count });
}

/**
 * Splits the purchases into the previous owners' and the current one's. A car with only one owner has been sent
 * with a row that names that owner, and `numPreowners` 0. If the count is that of the rows, the owner has bought the
 * car back, unless it is that very purchase; a higher count leaves rows out: `unlisted` have none.
 */
function purchases({ owner, purchased, preOwners, preOwnerCount }: Car) {
  const rows = inOrder(preOwners ?? []);
  const last = rows.at(-1);
  const isPresent =
    last !== undefined &&
    owner !== null &&
    last.buyer !== null &&
    sameSpelling(last.buyer) === sameSpelling(owner) &&
    (preOwnerCount !== rows.length || (purchased !== null && purchased === last.datePurchase));
  const previous = isPresent ? rows.slice(0, -1) : rows;
  const unlisted = Math.max(0, (preOwnerCount ?? 0) - previous.length);
  return { previous, present: isPresent ? last : null, unlisted };
}

/** Sorts owners by purchase date if every row has one; else keeps the service's order, oldest first. */
function inOrder(owners: readonly PreOwner[]): readonly PreOwner[] {
  if (owners.some(({ datePurchase }) => datePurchase === null)) return owners;
  return owners.toSorted((a, b) => (a.datePurchase ?? 0) - (b.datePurchase ?? 0));
}

function purchase({ datePurchase, odometerKm }: PreOwner, t: Translator): string | null {
  const [date, at] = [formatTimestamp(datePurchase, 'date'), formatDistance(odometerKm, t)];
  if (date === null) return at && t('car.boughtAt', { distance: at });
  if (at === null) return t('car.boughtOn', { date });
  return t('car.boughtOnAt', { date, distance: at });
}

/** Null where a reading is missing, or where the odometer would have run backwards. */
function kilometres(from: number | null, to: number | null, t: Translator): string | null {
  return from === null || to === null || to < from ? null : formatDistance(to - from, t);
}
