/** A driver's username, and the display name with the game's colour codes. */
export interface Names {
  readonly username: string;
  readonly nickname: string;
}

/**
 * The people of the sandbox: username, display name, country, and the one duty that a name speaks of. All are invented; their
 * names are what a community's are: plain or coloured, with a team in brackets, an accent, or in a script of their own.
 */
export const people: readonly (readonly [
  username: string,
  nickname: string,
  country: string,
  duty?: 'cop' | 'med' | 'tow' | 'taxi',
])[] = [
  ['Marek Nowicki', '^7[^1TC^7] ^3Marek ^2»', 'pl'],
  ['hoarder', '^4H^5o^1a^3r^2d^6e^7r™', 'gb'],
  ['nitro_nadia', '^1Nitro^7_^4Nadia^8', 'fi'],
  ['Old Timer', '^7Old^3·^7Timer', 'us'],
  ['kaya34', '^1[^7TR^1] ^7Kaya Şimşek', 'tr'],
  ['Łukasz K', '^7Łukasz ^1Źdźbło', 'pl'],
  ['volga', '^CВолга ^4»^7 ДПС', 'ru', 'cop'],
  ['drift_kitsune', '^Jドリフト^1狐^7 [TC]', 'jp'],
  ['Sgt Miller', '^4[^7COP^4] ^7Sgt. Miller', 'de', 'cop'],
  ['towtruck_tim', '^3[^0TOW^3] ^7Tim™', 'ie', 'tow'],
  ['MedicMaja', '^2✚ ^7Maja ^2✚', 'se', 'med'],
  ['racer_rafa', 'Rafa', 'br'],
  ['Capucine', '^4Capucine', 'fr'],
  ['prairie_pete', 'Prairie Pete', 'ca'],
  ['Joost', 'Joost', 'nl'],
  ['waffle_wim', '^3Wim', 'be'],
  ['alpenglow', 'Alpenglow', 'at'],
  ['Ueli', 'Ueli', 'ch'],
  ['Pavel', '^C^7Павел ^1«Молния»', 'ua'],
  ['zhang wei', '^S^3张伟^7 ^H賽車手', 'cn'],
  ['minji', '^K^5민지 ^7✿', 'kr'],
  ['Nikos', '^G^4Νίκος ^7»TC«', 'gr'],
  ['Ondřej', '^EOndřej ^1Žlutý', 'cz'],
  ['zsolt', '^2Zsolt ^7Őrült', 'hu'],
  ['BALTS', '^B^3Jānis^2Bērziņš', 'lv'],
  ['Mads', '^1Mads', 'dk'],
  ['fjordrunner', 'Fjordrunner', 'no'],
  ['Triin', 'Triin', 'ee'],
  ['Rokas', '^2Rokas', 'lt'],
  ['Gianluca', 'Gianluca', 'it'],
  ['Lola M', 'Lola', 'es'],
  ['rami', '^7[^2TC^7] Rami', 'ae'],
  ['Sigurjón', 'Sigurjón', 'is'],
  ['rainbow', '^1R^3a^2i^6n^4b^5o^7w ^1W^3a^2r^6r^4i^5o^7r', 'pt'],
  ['plainjane', 'Plain Jane', 'nz'],
  ['Thandi', 'Thandi', 'za'],
  ['memo_mx', 'Memo', 'mx'],
  ['Pampa', '^5Pampa', 'ar'],
  ['Andes Express', 'Andes Express', 'cl'],
  ['Camila', 'Camila', 'co'],
  ['Inti', 'Inti', 'pe'],
  ['Boyan', '^6Boyan', 'bg'],
  ['Ioana', 'Ioana', 'ro'],
  ['Çağla', '^5Çağla^7 İnce ğüşöç', 'tr'],
  ['KubaTransport', '^3Kuba^7 Transport ^1Sp. z o.o.', 'pl'],
  ['taxi driver', '^3T^0A^3X^0I ^7#7', 'gb', 'taxi'],
  ['Lena', '^1Lena', 'de'],
  ['Holger', 'Holger', 'de'],
  ['Anne-Sophie', '^4A^7n^1n^4e^7-S^1ophie', 'fr'],
  ["O'Neill", "^2O'^7Nei^3ll", 'ie'],
  ['Route66Ron', 'Ron', 'us'],
  ['Ante', 'Ante', 'hr'],
  ['Señor Ñandú', '^1Señor ^3Ñandú', 'es'],
  ['Björn', '^4Bj^3ö^4rn', 'se'],
  ['night rider', '^0Night^8 Rider', 'us'],
  ['Bruce K', 'Bruce', 'au'],
  ['thai_tee', '^7ธี ^1เร็ว', 'th'],
  ['hindi_hari', '^3हरि^7 रेसर', 'in'],
  ['Mila', '^3Mila', 'rs'],
  ['newbie2026', 'newbie2026', 'si'],
];

/**
 * Names that try everything that a name can do to a bot: markup, mentions, leftovers of old code pages, invisible
 * characters, nothing visible at all. Each begins with the username of the person who may take it.
 */
const hostile: readonly (readonly [of: string, username: string, nickname: string])[] = [
  ['racer_rafa', 'x_Racer_x', '_x_^1*Racer*^7_x_'],
  ['Capucine', 'everyone', '^7@everyone'],
  ['prairie_pete', 'pipe dream', '^1pipe^v^7dream^v^4x'],
  ['Joost', 'slashslash', '^7http^c^s^sfree-cars.example'],
  ['waffle_wim', 'mention me', '^l@1^r ^2hi'],
  ['alpenglow', 'fence', '^7```^1ansi^7```'],
  ['Ueli', 'tick', '`^3tick^7`tock`'],
  ['Mads', 'caret', '^^1not red^^'],
  ['fjordrunner', 'bullet', '^7Fast\u0095^1Freddy\u0099'],
  ['Triin', 'angle', '\u008b^4Angle^7\u009b'],
  ['Rokas', 'nbsp', '^7No\u00a0Break\u00a0^1Space'],
  ['Gianluca', 'softie', '^6So\u00adft^7Hy\u00adphen'],
  ['Lola M', 'ghost', '^7^1\u200b^2\u2060'],
  ['rami', 'rtl_rami', '^7Rami \u202eimaR'],
  ['Sigurjón', 'zalgo', '^1z\u0300\u0301\u0302\u0303\u0304\u0305alg\u0316\u0317\u0318\u0319o'],
  ['Thandi', 'heading', '# ^7Big^1Heading'],
  ['memo_mx', 'spoiler', '||^1who^7||'],
  ['Pampa', 'linker', '[^4click^7](https^c^s^sexample.invalid)'],
  ['Andes Express', 'sixty-four', 'The longest name that anybody ever typed^1 into a name field^7!!!'],
  ['Camila', 'emoji', '^7:smile: ^3😎^7🏁'],
  ['Inti', 'hash tag', '^h1 ^1of^7 ^h1'],
  ['Boyan', 'quoter', '^7> ^tquoted^t'],
  ['Ioana', 'timestamp', '^lt^c0^cR^r ^7now'],
  ['Lena', '__proto__', '^7__proto__'],
  ['Holger', 'constructor', '^7constructor'],
  ['Route66Ron', '50%off', '^750% ^1off & more'],
  ['Ante', 'a', '^7a'],
  ['Bruce K', 'question', '^7what^q ^a star ^d back'],
  ['Mila', 'trailing', '^7Trailing^'],
];

/** Everybody's names in the order of `people`. */
export function namesOf(kind: 'own' | 'hostile'): readonly Names[] {
  const taken = new Map(
    kind === 'own' ? [] : hostile.map(([of, username, nickname]) => [of, { username, nickname }]),
  );
  return people.map(([username, nickname]) => taken.get(username) ?? { username, nickname });
}

/** Former car owners whom the service no longer knows. */
export const departed: readonly [string, string, ...string[]] = [
  'RetiredRay',
  'gone fishing',
  'Deleted_1337',
];
