/** What failed, without the error's message: that may contain an address. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('status' in error) return `status ${error.status}`;
  // DOMException, of a request that took too long, has a number without a meaning.
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
