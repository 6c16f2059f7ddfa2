import { transact, type Ctx } from '../../context.ts';
import { invalid, notFound } from '../../protocol/envelope.ts';
import { documentsChanged } from '../jobs.ts';
import { cleanKeywords, cleanLine } from '../rules.ts';
import { idOf, themeIdsOf, type CreateDocumentInput } from './create-document.ts';
import { updateDocument } from './store-changes.ts';

/** Fields left out stay as they are; "" takes an industry, type or organization away. */
export type EditDocumentInput = Partial<Omit<CreateDocumentInput, 'fileId' | 'createdAt' | 'isNameGuessed'>>;

/** Corrects what a document says of itself; search follows. Throws notFound, and invalid for an empty name. */
export async function editDocument(ctx: Ctx, id: number, input: EditDocumentInput): Promise<void> {
  const name = input.name === undefined ? undefined : cleanLine(input.name);
  if (name === '') throw invalid('请输入方案名称', 'name');
  await transact(ctx, async ({ db, jobs }) => {
    const isFound = await updateDocument(db, id, {
      ...(name !== undefined && { name, isNameGuessed: false }),
      ...(input.keyword !== undefined && { keyword: cleanKeywords(input.keyword) }),
      ...(input.priceCoins !== undefined && { priceCoins: input.priceCoins }),
      ...(input.researcher !== undefined && { researcher: cleanLine(input.researcher, 40) }),
      ...(input.industry !== undefined && { industryId: await idOf(db, 'industries', input.industry) }),
      ...(input.type !== undefined && { typeId: await idOf(db, 'document_types', input.type) }),
      ...(input.organization !== undefined && {
        organizationId: await idOf(db, 'organizations', input.organization, 80),
      }),
      ...(input.themes !== undefined && { themeIds: await themeIdsOf(db, input.themes) }),
      updatedAt: new Date(ctx.clock.now()),
    });
    if (!isFound) throw notFound();
    await jobs.add(documentsChanged, { ids: [id] });
  });
}
