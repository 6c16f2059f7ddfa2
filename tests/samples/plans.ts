import { addPublished, type PublishedFacts } from '../published-document.ts';
import type { TestApp } from '../test-app.ts';
import { transact } from '../../src/context.ts';
import { findDocument } from '../../src/library/server/catalogue.ts';
import { selectFile } from '../../src/ingest/server/store/files.ts';
import { describeFile, saveDescription } from '../../src/ingest/server/about/describe-file.ts';

/** Headings every plan of one template has, and words of which each plan says something else. */
const HEADINGS = [
  '项目背景与目标',
  '目标人群画像',
  '创意概念阐述',
  '现场流程与动线',
  '舞台灯光安排',
  '传播节奏分配',
  '费用测算依据',
  '安全应急措施',
  '合作伙伴权益',
];
const WORDS = [
  ...'清晨薄雾山谷河流石桥灯笼木舟琴声书卷茶香竹影花灯烟火星空露台帐篷篝火风筝滑梯秋千画布陶土丝线铜铃贝壳沙滩礁石帆船雪松壁炉皮影剪纸铁轨站台邮筒钟楼',
];

/** Pages of a plan of the template: the same headings, sentences of its own. */
export function pagesOf(subject: string, count = 9): string[] {
  let seed = [...subject].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 7);
  const next = (below: number) => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % below;
  const sentence = () => Array.from({ length: 14 }, () => WORDS[(next(1 << 16) >>> 3) % WORDS.length]).join('');
  return Array.from({ length: count }, (_, page) =>
    [HEADINGS[page % HEADINGS.length], subject, ...Array.from({ length: 5 }, sentence)].join('\n'),
  );
}

/** Published plans, and what they are about. `appOf`: the app, once it is open. */
export function describing(appOf: () => TestApp) {
  async function fileOf(id: number): Promise<number> {
    return (await findDocument(appOf().ctx, id))?.fileId ?? 0;
  }

  async function describeOne(fileId: number): Promise<void> {
    const { ctx } = appOf();
    const file = await selectFile(ctx.db, fileId);
    if (!file) throw new Error('no file');
    const description = await describeFile(ctx, file);
    await transact(ctx, (tx) => saveDescription(tx, description));
  }

  /** A document that was read for it. */
  async function described(facts: PublishedFacts): Promise<{ id: number; fileId: number }> {
    const { id } = await addPublished(appOf(), { pageCount: facts.texts?.length ?? 8, ...facts });
    const fileId = await fileOf(id);
    await describeOne(fileId);
    return { id, fileId };
  }

  return { fileOf, describeOne, described };
}
