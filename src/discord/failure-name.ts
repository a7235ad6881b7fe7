/** What failed, without the error's message: that may contain an address. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('status' in error) return `status ${error.status}`;
  return 'code' in error ? String(error.code) : error.name;
}
