import * as contract from '../contract.ts';
import type { Routes } from '../../context.ts';
import { exportFavorites, listCollection } from './collection.ts';
import { doFavorite, listFavored, listMyFavorites } from './favorites.ts';
import { getFileRecord } from './file-record.ts';
import {
  createFolder,
  deleteFolder,
  listFolders,
  moveToFolder,
  noteFavorite,
  removeFavorites,
  renameFolder,
} from './folders.ts';
import { clearHistory, listMyDownloads, listMyHistory, listRecords, removeFromHistory } from './history.ts';
import { createShortlist, listShortlists, openShortlist, revokeShortlist } from './shortlists.ts';

export function shelfRoutes(routes: Routes): void {
  routes.on(contract.doFavorite, doFavorite);
  routes.on(contract.listFavored, listFavored);
  routes.on(contract.myFavorite, listMyFavorites);
  routes.on(contract.listCollection, listCollection);
  routes.on(contract.listFolders, listFolders);
  routes.on(contract.createFolder, createFolder);
  routes.on(contract.renameFolder, renameFolder);
  routes.on(contract.deleteFolder, deleteFolder);
  routes.on(contract.moveToFolder, moveToFolder);
  routes.on(contract.removeFavorites, removeFavorites);
  routes.on(contract.noteFavorite, noteFavorite);
  routes.on(contract.exportFavorites, exportFavorites);
  routes.on(contract.createShortlist, createShortlist);
  routes.on(contract.listShortlists, listShortlists);
  routes.on(contract.revokeShortlist, revokeShortlist);
  routes.on(contract.openShortlist, openShortlist);
  routes.on(contract.myHistory, listMyHistory);
  routes.on(contract.myDownload, listMyDownloads);
  routes.on(contract.listRecords, listRecords);
  routes.on(contract.removeFromHistory, removeFromHistory);
  routes.on(contract.clearHistory, clearHistory);
  routes.on(contract.getFileRecord, getFileRecord);
}
