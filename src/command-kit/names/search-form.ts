import { foldName } from '../../service/models/identifiers.ts';

/**
 * The form compared in a search: without case, diacritics, colour codes and compatibility forms, since nobody types
 * those. Looser than the service, for which Jörg and Jorg are two drivers.
 */
export function searchForm(name: string): string {
  return foldName(name).normalize('NFKD').replace(/\p{M}/gu, '');
}
