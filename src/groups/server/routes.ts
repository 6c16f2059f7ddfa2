import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import * as uploads from '../contract-uploads.ts';
import { joinGroup, leaveGroup, listGroups, listMyGroups } from './groups.ts';
import { addToGroups, listShelf, removeFromGroup } from './shelf.ts';
import { reportUpload } from './uploads/reports.ts';
import { addFileToGroup, getUpload, listUploads, withdrawUpload } from './uploads/shelf-uploads.ts';

export function groupRoutes(routes: Routes): void {
  routes.on(contract.listGroups, listGroups);
  routes.on(contract.listMyGroups, listMyGroups);
  routes.on(contract.joinGroup, joinGroup);
  routes.on(contract.leaveGroup, leaveGroup);
  routes.on(contract.addGroupsFiles, addToGroups);
  routes.on(contract.addGroupFile, addFileToGroup);
  routes.on(contract.removeGroupFile, removeFromGroup);
  routes.on(contract.listGroupFiles, listShelf);
  routes.on(uploads.listUploads, listUploads);
  routes.on(uploads.getUpload, getUpload);
  routes.on(uploads.withdrawUpload, withdrawUpload);
  routes.on(uploads.reportUpload, reportUpload);
}
