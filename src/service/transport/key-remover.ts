/** A shorter key is a test key and may occur inside names. */
const KEY_LENGTH = 8;

/**
 * Removes the key from what the service sends: an answer that repeats the request's URL would otherwise put it into
 * the store, or onto a card that shows arbitrary fields.
 */
export function keyRemover(key: string): (text: string) => string {
  if (key.length < KEY_LENGTH) return (text) => text;
  const plain = [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice('key='.length)];
  // Percent-encoding may use either case.
  const spelled = plain.flatMap((form) => [form, form.replace(/%[\dA-F]{2}/g, (sign) => sign.toLowerCase())]);
  const quoted = spelled.flatMap((form) => {
    const inJson = JSON.stringify(form).slice(1, -1);
    return [form, inJson, inJson.replaceAll('/', '\\/')];
  });
  const forms = [...new Set(quoted)];
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, '…'), text);
}
