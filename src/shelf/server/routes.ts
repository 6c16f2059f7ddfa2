import * as contract from '../contract.ts';
import type { Routes } from '../../context.ts';
import { doFavorite, listFavored, listMyFavorites, removeFavorites } from './favorites.ts';
import { getFileRecord } from './file-record.ts';

export function shelfRoutes(routes: Routes): void {
  routes.on(contract.doFavorite, doFavorite);
  routes.on(contract.listFavored, listFavored);
  routes.on(contract.myFavorite, listMyFavorites);
  routes.on(contract.removeFavorites, removeFavorites);
  routes.on(contract.getFileRecord, getFileRecord);
}
