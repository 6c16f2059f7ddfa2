/** Words that name a kind of document. A title of nothing else says too little: 商业计划书, 2023年工作总结. */
const KINDS = [
  '(?:商业|创业|融资|项目)?计划书?|(?:天使轮|[A-D]轮)?融资|商业|创业|路演|BP|business plan',
  '(?:项目|公司|企业|产品|集团|平台|情况|自我)(?:介绍|简介|概况|说明|汇报)|项目|公司',
  '工作|述职|年终|年中|年度|季度|月度|半年|总结|汇报|材料|报告|计划|规划|复盘',
  '毕业|课程|论文|开题|答辩|设计|作业|小组|第[一二三四五六七八九十\\d]{1,3}(?:章|讲|课|节|组|小组)',
  '策划|活动|执行|实施|方案|提案|策略|脚本|说明书?|手册|用户|使用|运营|操作|流程',
  '竞品|分析|行业|市场|研究|调研|白皮书|培训|课件|教案|讲义|品牌|全案|营销|推广|传播|整合|宣讲|投标|模[板版]|ppt',
].join('|');
const STYLE =
  '蓝色|红色|绿色|橙色|紫色|黑色|黑金|简约|简洁|商务|大气|清新|卡通|扁平|欧美风?|中国风|科技风|党政|创意|通用|高端|时尚|风|系列|新|的|与|和|及|暨';

const GENERAL = new RegExp(`${KINDS}|${STYLE}`, 'giu');
const NUMBERS = /(?:19|20)\d{2}\s*(?:年度?)?|[\d\s\p{P}\p{S}]+/gu;
const KIND_AT_END = new RegExp(
  '(?:方案|策划|策划[案书]|提案|手册|报告|白皮书|计划书?|脚本|总结(?:与.{0,12}计划)?|汇报|复盘|全案|规划|指南|课件|分析|介绍|简介|说明|路演|答辩|推介|设计|推广|传播|研究|材料)(?:[(（].{1,12}[)）])?$',
  'u',
);

/** Returns what is left of a title without years, numbers, words for kinds of documents and words for the look of a template. */
export const contentOf = (title: string): string =>
  title.normalize('NFKC').replace(NUMBERS, ' ').replace(GENERAL, '').replace(/\s+/g, '');

/** Whether a title says only what kind of document it is: 商业计划书, 项目介绍, 2023年度工作总结. */
export const isGeneral = (title: string): boolean => contentOf(title).length < 2;

/** Whether a line ends with a word for a kind of document. */
export const namesKind = (line: string): boolean => KIND_AT_END.test(line.trim());
