/** A shorter key is one for trying out, and may be a part of names. */
const KEY_LENGTH = 8;

/**
 * Takes the key out of what the service sends: an answer that repeats the address that was asked would else bring it
 * into the store, or onto a card that shows fields of any name.
 */
export function keyRemover(key: string): (text: string) => string {
  if (key.length < KEY_LENGTH) return (text) => text;
  const plain = [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice('key='.length)];
  // The digits of percent signs are written in either case.
  const spelled = plain.flatMap((form) => [form, form.replace(/%[\dA-F]{2}/g, (sign) => sign.toLowerCase())]);
  const quoted = spelled.flatMap((form) => {
    const inJson = JSON.stringify(form).slice(1, -1);
    return [form, inJson, inJson.replaceAll('/', '\\/')];
  });
  const forms = [...new Set(quoted)];
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, '…'), text);
}
