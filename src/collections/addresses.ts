/** Paths of the pages of collections. Not in the contract, whose schemas the browser would load with them. */

/** Returns the path of a page of the list. `page` is counted from 1. */
export const collectionsPath = (page = 1): string => (page > 1 ? `/collection?page=${page}` : '/collection');

/** Returns the path of a collection, or of a later page of its files. */
export const collectionPath = (id: number, page = 1): string =>
  `/collection/detail?id=${id}${page > 1 ? `&page=${page}` : ''}`;
