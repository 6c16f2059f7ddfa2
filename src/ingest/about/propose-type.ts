import type { Proposal } from './propose-labels.ts';

/**
 * The kinds of documents (方案类型) and the words of a title that name them, the most telling kind first: 研究报告 before 方案.
 * A title that has an excluded word is of no kind that the library has: 商业计划书, 招商手册, 开题报告.
 */
const KINDS: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['创意脚本', ['创意脚本', '分镜', '拍摄脚本', '直播脚本', '视频脚本', '脚本', 'TVC']],
  ['培训课件', ['课件', '教案', '讲义', '培训', '第[一二三四五六七八九十\\d]{1,3}[讲课章]', '教程']],
  ['复盘报告', ['复盘', '结案', '工作总结', '年终总结', '总结', '述职']],
  [
    '研究报告',
    ['研究报告', '白皮书', '蓝皮书', '洞察报告', '趋势报告', '调研报告', '调查报告', '分析报告', '行业报告', '洞察'],
  ],
  ['执行手册', ['执行手册', '运营手册', '操作手册', '用户手册', '使用手册', '工作手册', '手册', '执行案']],
  ['设计方案', ['设计方案', '设计提案', '设计案', 'VI设计', '视觉识别', '技术方案', '空间设计', '概念设计']],
  ['提案', ['提案', '比稿']],
  ['传播方案', ['传播方案', '传播规划', '传播策略', '公关方案', '公关传播', '种草方案', '投放方案', '传播']],
  ['营销方案', ['营销方案', '促销', '营销', '推广方案', '推广']],
  [
    '策划方案',
    [
      '策划',
      '活动方案',
      '执行方案',
      '总体方案',
      '夏令营方案',
      '年会方案',
      '活动策划',
      '庆典',
      '盛典',
      '路演方案',
      '暖场',
    ],
  ],
];
const EXCLUDED =
  /计划书|招商|加盟|融资|研究$|策略分析|毕业|开题|答辩|课程设计|解决方案|IPO|BP\b|简历|通知|合同|产品说明会/iu;

/** Returns the kind of document that its title names, with the words that name it; null when it names none. */
export function proposeType(title: string): Proposal | null {
  const text = title.normalize('NFKC');
  if (EXCLUDED.test(text)) return null;
  for (const [name, words] of KINDS) {
    const found = words.map((word) => new RegExp(word, 'iu').exec(text)?.[0]).filter((word) => word !== undefined);
    if (found.length > 0) return { name, score: found.length, words: found.map((word) => ({ word, weight: 1 })) };
  }
  return null;
}
