import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { joinGroup, leaveGroup, listGroups, listMyGroups } from './groups.ts';
import { addToGroups, listShelf, removeFromGroup } from './shelf.ts';

export function groupRoutes(routes: Routes): void {
  routes.on(contract.listGroups, listGroups);
  routes.on(contract.listMyGroups, listMyGroups);
  routes.on(contract.joinGroup, joinGroup);
  routes.on(contract.leaveGroup, leaveGroup);
  routes.on(contract.addGroupsFiles, addToGroups);
  routes.on(contract.addGroupFile, (ctx, { gid, file }) => addToGroups(ctx, { fid: file, gids: gid > 0 ? [gid] : [] }));
  routes.on(contract.removeGroupFile, removeFromGroup);
  routes.on(contract.listGroupFiles, listShelf);
}
