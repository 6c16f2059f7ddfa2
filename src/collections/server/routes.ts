import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { getCollection, listCollectionFiles, listCollections } from './collections.ts';

export function collectionRoutes(routes: Routes): void {
  routes.on(contract.listCollections, listCollections);
  routes.on(contract.getCollection, getCollection);
  routes.on(contract.listCollectionFiles, listCollectionFiles);
}
