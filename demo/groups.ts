import type { Ctx } from '../src/context.ts';
import { findGroupList, parseGroupList, setGroupList } from '../src/groups/server/group-list.ts';
import { stockShelf } from '../src/groups/server/shelf.ts';
import { listAllDocuments } from '../src/library/server/catalogue.ts';
import type { INDUSTRIES } from '../src/library/taxonomy.ts';

/** The groups of the demo library: more than one page, each with documents of one industry on its shelf. */
const GROUPS: { name: string; mark: string; description: string; industry: (typeof INDUSTRIES)[number] }[] = [
  { name: '地产活动策划群', mark: '地产', description: '案场暖场、开盘与业主活动', industry: '房地产' },
  { name: '餐饮品牌营销社', mark: '餐饮', description: '开业、新品与节日营销', industry: '餐饮' },
  { name: '电商大促作战室', mark: '电商', description: '618、双 11 与直播间', industry: '电商' },
  { name: '服装秀场与快闪', mark: '秀场', description: '新品发布、走秀与快闪店', industry: '服装' },
  { name: '文旅夜游策划会', mark: '文旅', description: '灯会、市集与城市节庆', industry: '文旅' },
  { name: '酒水招商与品鉴', mark: '酒水', description: '品鉴会、招商会与封坛大典', industry: '酒水' },
  { name: '茶饮咖啡开店人', mark: '茶咖', description: '新店开业与联名', industry: '茶饮咖啡' },
  { name: '美妆种草研究所', mark: '美妆', description: '小红书种草与新品首发', industry: '美妆' },
  { name: '汽车试驾与巡展', mark: '汽车', description: '上市、试驾与车主活动', industry: '汽车' },
];
const DOCUMENTS_EACH = 6;

/** Makes the demo groups in a database that has no open group. */
export async function seedDemoGroups(ctx: Ctx): Promise<void> {
  if ((await findGroupList(ctx)).length > 0) return;
  const groups = GROUPS.map(({ industry: _industry, ...terms }) => terms);
  await setGroupList(ctx, parseGroupList(JSON.stringify({ groups })));
  for (const { id, name } of await findGroupList(ctx)) {
    const industry = GROUPS.find((group) => group.name === name)?.industry;
    if (id === null || industry === undefined) continue;
    const search = { state: 'published', industry } as const;
    const documents = await listAllDocuments(ctx, search, { limit: DOCUMENTS_EACH, after: null });
    await stockShelf(
      ctx,
      id,
      documents.map((document) => document.id),
    );
  }
}
