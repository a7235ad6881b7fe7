import type { Translator } from '../../i18n/translator.ts';
import { cutText } from '../../text/cut.ts';
import { toPlainText } from '../../text/plain.ts';

/** The game's own cars by their codes. */
const models: ReadonlyMap<string, string> = new Map([
  ['XFG', 'XF GTI'],
  ['XRG', 'XR GT'],
  ['FBM', 'Formula BMW'],
  ['XRT', 'XR GT Turbo'],
  ['RB4', 'RB4 GT'],
  ['FXO', 'FXO Turbo'],
  ['LX4', 'LX4'],
  ['LX6', 'LX6'],
  ['MRT', 'MRT5'],
  ['UF1', 'UF 1000'],
  ['RAC', 'RaceAbout'],
  ['FZ5', 'FZ50'],
  ['FOX', 'Formula XR'],
  ['XFR', 'XF GTR'],
  ['UFR', 'UF GTR'],
  ['FO8', 'Formula V8'],
  ['FXR', 'FXO GTR'],
  ['XRR', 'XR GTR'],
  ['FZR', 'FZ50 GTR'],
  ['BF1', 'BMW Sauber F1'],
  ['VWS', 'VW Scirocco'],
]);

const MOD = /^[0-9a-f]{6}$/i;
/** Maximum characters of an unknown code or variant. */
const MAX_UNKNOWN_LENGTH = 32;
/** Characters read of one: enough for those with a colour code before every letter. */
const MAX_READ_LENGTH = 200;

/**
 * A model's name in plain text: XRT is XR GT Turbo, `UF1.XMAS` the UF 1000 in a variant, six hex digits a mod. An
 * unknown code is shown as it is.
 */
export function modelName(type: string | null, t: Translator): string {
  const { code, isMod, known, variant } = read((type ?? '').slice(0, MAX_READ_LENGTH));
  if (code === '') return t('car.unknownModel');
  const model = known ?? (isMod ? t('car.mod', { code }) : code);
  return variant === '' ? model : t('car.variant', { model, variant });
}

function read(type: string) {
  const [code = '', ...rest] = cutText(toPlainText(type), MAX_UNKNOWN_LENGTH)
    .split('.')
    .map((part) => part.trim());
  return { code, isMod: MOD.test(code), known: models.get(code.toUpperCase()), variant: rest.join('.') };
}
