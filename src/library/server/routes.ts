import type { Routes } from '../../context.ts';
import * as contract from '../contract.ts';
import { countLibrary } from './catalogue.ts';
import { listFilesOfType, listFileTypes } from './list-file-types.ts';
import { listRecommended } from './list-documents.ts';
import { listLabels } from './labels.ts';
import { listSimilar } from './versions/list-similar.ts';
import { listOtherVersions } from './versions/list-versions.ts';

export function libraryRoutes(routes: Routes): void {
  routes.on(contract.listThemes, async (ctx) => ({ data: await listLabels(ctx, 'theme') }));
  routes.on(contract.listIndustries, async (ctx) => ({ data: await listLabels(ctx, 'industry') }));
  routes.on(contract.listFileTypes, listFileTypes);
  routes.on(contract.listFilesOfType, listFilesOfType);
  routes.on(contract.countLibrary, (ctx) => countLibrary(ctx));
  routes.on(contract.listSimilar, async (ctx, input) => ({ files: await listSimilar(ctx, input.fid) }));
  routes.on(contract.listVersions, async (ctx, input) => ({ versions: await listOtherVersions(ctx, input.fid) }));
  routes.on(contract.listDocuments, async (ctx, input) => {
    const pageSize = contract.THEME_PAGE_SIZE;
    // Both names mean the same (C-14); "recommended" is the ranking over all themes (C-23).
    const themeId = input.isRecommend === 1 ? 0 : input.theme_id || input.themeid;
    const { items, total } = await listRecommended(ctx, { page: input.page, pageSize, themeId });
    return { files: items, total_count: total, page: input.page, page_size: pageSize, total };
  });
}
