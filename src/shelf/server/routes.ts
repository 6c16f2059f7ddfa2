import * as contract from '../contract.ts';
import * as folders from '../contract-folders.ts';
import * as history from '../contract-history.ts';
import * as shortlists from '../contract-shortlists.ts';
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
  routes.on(folders.listCollection, listCollection);
  routes.on(folders.listFolders, listFolders);
  routes.on(folders.createFolder, createFolder);
  routes.on(folders.renameFolder, renameFolder);
  routes.on(folders.deleteFolder, deleteFolder);
  routes.on(folders.moveToFolder, moveToFolder);
  routes.on(contract.removeFavorites, removeFavorites);
  routes.on(contract.noteFavorite, noteFavorite);
  routes.on(folders.exportFavorites, exportFavorites);
  routes.on(shortlists.createShortlist, createShortlist);
  routes.on(shortlists.listShortlists, listShortlists);
  routes.on(shortlists.revokeShortlist, revokeShortlist);
  routes.on(shortlists.openShortlist, openShortlist);
  routes.on(history.myHistory, listMyHistory);
  routes.on(history.myDownload, listMyDownloads);
  routes.on(history.listRecords, listRecords);
  routes.on(history.removeFromHistory, removeFromHistory);
  routes.on(history.clearHistory, clearHistory);
  routes.on(history.getFileRecord, getFileRecord);
}
