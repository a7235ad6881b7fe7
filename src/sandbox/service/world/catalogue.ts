/** Everything that can be owned and driven in the sandbox. Codes and names are the game's own. */

interface Model {
  readonly code: string;
  readonly price: number;
}

type Some<T> = readonly [T, ...T[]];

export const models: Some<Model> = [
  { code: 'UF1', price: 9_500 },
  { code: 'XFG', price: 14_000 },
  { code: 'XRG', price: 15_500 },
  { code: 'LX4', price: 19_000 },
  { code: 'LX6', price: 27_000 },
  { code: 'RB4', price: 31_000 },
  { code: 'FXO', price: 33_000 },
  { code: 'XRT', price: 34_500 },
  { code: 'VWS', price: 38_000 },
  { code: 'RAC', price: 47_000 },
  { code: 'MRT', price: 52_000 },
  { code: 'FZ5', price: 89_000 },
  { code: 'UFR', price: 110_000 },
  { code: 'XFR', price: 125_000 },
  { code: 'FBM', price: 140_000 },
  { code: 'FOX', price: 165_000 },
  { code: 'FXR', price: 210_000 },
  { code: 'XRR', price: 215_000 },
  { code: 'FZR', price: 240_000 },
  { code: 'FO8', price: 390_000 },
  { code: 'BF1', price: 900_000 },
];

/** Variants carry the car before the dot; a mod is six hex digits. */
export const rareModels: Some<Model> = [
  { code: 'UF1.XMAS', price: 24_000 },
  { code: 'XRT.POLICE', price: 61_000 },
  { code: 'FZ5.TAXI', price: 95_000 },
  { code: '3BA1F0', price: 72_000 },
];

/** The later generation sends the names. */
export const upgradeKinds: Some<{ readonly type: string; readonly name: string; readonly value: number }> = [
  { type: 'ramp', name: 'Loading ramp', value: 4_000 },
  { type: 'winch', name: 'Winch', value: 2_500 },
  { type: 'radar_warner', name: 'Radar warner', value: 7_500 },
];

export const propertyKinds: Some<{ readonly type: string; readonly name: string; readonly value: number }> = [
  { type: 'garage', name: 'Garage', value: 45_000 },
  { type: 'locator', name: 'Car locator', value: 6_000 },
];

export const licenceKinds: Some<{ readonly type: string; readonly name: string }> = [
  { type: 'civil', name: 'Driving licence' },
  { type: 'cop', name: 'Police licence' },
  { type: 'med', name: 'Medical service licence' },
  { type: 'tow', name: 'Tow service licence' },
  { type: 'heavy', name: 'Heavy goods licence' },
  { type: 'race', name: 'Race licence' },
  { type: 'taxi', name: 'Taxi licence' },
  { type: 'admin', name: 'Administrator licence' },
];

/** The options of the interface, with non-default values. */
export const optionValues: Some<{ readonly name: string; readonly values: Some<string> }> = [
  { name: 'chase_debug', values: ['1'] },
  { name: 'force_mouse', values: ['1'] },
  { name: 'hidead', values: ['fuel', 'tow', 'all'] },
  { name: 'loccol', values: ['1', '3', '6'] },
  { name: 'locsize', values: ['4', '8', '12'] },
  { name: 'money', values: ['short', 'hidden'] },
  { name: 'mph', values: ['1'] },
  { name: 'pri_mrt_civ', values: ['a1', 'b2'] },
  { name: 'pri_uf1_civ', values: ['a2', 'c1'] },
  { name: 'pri_uf1_cop', values: ['p1', 'p2'] },
  { name: 'pri_uf1_med', values: ['m1'] },
  { name: 'pri_uf1_res', values: ['r1', 'r3'] },
  { name: 'spawn_location', values: ['garage', 'station', 'harbour'] },
  { name: 'theme', values: ['dark', 'amber', 'classic'] },
];

export interface Track {
  readonly code: string;
  readonly name: string;
}

/** Open and reversed configurations carry a letter; colours appear in place names too. */
export const tracks: Some<Track> = [
  { code: 'SO7X', name: 'South City' },
  { code: 'SO4X', name: 'South City City Long' },
  { code: 'BL1X', name: 'Blackwood GP Track' },
  { code: 'FE4Y', name: 'Fern Bay Black' },
  { code: 'KY3X', name: 'Kyoto GP Long' },
  { code: 'WE1X', name: 'Westhill National' },
  { code: 'AS5X', name: 'Aston Grand Prix' },
  { code: 'RO10X', name: '^1Rockingham ^7International Long' },
];
