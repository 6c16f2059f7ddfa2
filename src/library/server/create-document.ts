import { transact, type Ctx } from '../../context.ts';
import { invalid } from '../../protocol/envelope.ts';
import { cleanKeywords, cleanLine, recommendScore } from '../rules.ts';
import { ensureNames, insertDocument, type NameTable } from './store-changes.ts';
import type { Db } from '../../platform/db/client.ts';

export type CreateDocumentInput = {
  fileId: number;
  name: string;
  /** Nobody gave it: a better title may replace it while the document waits for its file. */
  isNameGuessed?: boolean;
  /** Separated by commas of any kind. */
  keyword: string;
  /** 0 to 99,999. */
  priceCoins: number;
  /** Names of the next four are made when new; "" for none. */
  industry: string;
  themes: string[];
  organization: string;
  type: string;
  researcher: string;
  createdAt: Date;
};

const LABEL_CHARACTERS = 40;
const ORGANIZATION_CHARACTERS = 80;

/** Files a document under its words, not yet on the shelf (publishDocument). Throws invalid for an empty name. */
export async function createDocument(ctx: Ctx, input: CreateDocumentInput): Promise<number> {
  const name = cleanLine(input.name);
  if (!name) throw invalid('请输入方案名称', 'name');
  return transact(ctx, async ({ db }) =>
    insertDocument(db, {
      fileId: input.fileId,
      name,
      isNameGuessed: input.isNameGuessed ?? false,
      keyword: cleanKeywords(input.keyword),
      priceCoins: input.priceCoins,
      ...(await fileUnder(db, input)),
      researcher: cleanLine(input.researcher, LABEL_CHARACTERS),
      recommendScore: recommendScore(input.createdAt, 0),
      createdAt: input.createdAt,
    }),
  );
}

type Labels = { industry: string; themes: string[]; organization: string; type: string };

/** The ids of the words a document is filed under. */
async function fileUnder(db: Db, labels: Labels) {
  return {
    industryId: await idOf(db, 'industries', labels.industry, LABEL_CHARACTERS),
    typeId: await idOf(db, 'document_types', labels.type, LABEL_CHARACTERS),
    organizationId: await idOf(db, 'organizations', labels.organization, ORGANIZATION_CHARACTERS),
    themeIds: await themeIdsOf(db, labels.themes),
  };
}

export async function idOf(
  db: Db,
  table: NameTable,
  label: string,
  maxCharacters = LABEL_CHARACTERS,
): Promise<number | null> {
  const name = cleanLine(label, maxCharacters);
  return name ? ((await ensureNames(db, table, [name])).get(name) ?? null) : null;
}

/** In the order given, the first being what the document is foremost. */
export async function themeIdsOf(db: Db, labels: string[]): Promise<number[]> {
  const names = new Set(labels.map((label) => cleanLine(label, LABEL_CHARACTERS)).filter(Boolean));
  const ids = await ensureNames(db, 'themes', [...names]);
  return [...names].flatMap((name) => ids.get(name) ?? []);
}
