import { expect, it } from 'vitest';
import { refusedTexts, requiredWords } from './generic-words.ts';
import { cutWords } from './server/words/cut-words.ts';

const asked = (query: string) => requiredWords(query, cutWords).map(({ forms }) => forms[0]?.text);

it.each([
  ['商场中秋活动方案', '商场中秋'],
  ['中秋活动策划方案模板', '中秋'],
  ['老板让我周三前弄个年会方案', '年会'],
  ['中秋 活动 策划案 范文', '中秋'],
  ['活动方案 中秋', '中秋'],
  ['社区活动策划', '社区'],
  ['AI活动全案', 'AI'],
  ['618活动方案', '618'],
  ['亲子活动策划方案模板', '亲子'],
  ['music festival event plan', 'music festival'],
  ['招商ppt', '招商'],
  ['大型年会活动', '年会'],
  ['预算五百万以上的大型活动', '预算五百万以上'],
  ['3月8日商场活动', '女神节 商场'],
  ['10月18日开业', '开业'],
  ['6.18大促', '六一八 大促'],
  ['3.8商场活动', '女神节 商场'],
  ['12.25 派对', '圣诞 派对'],
  ['3·15 维权', '315 维权'],
  ['3.8米高舞台', '3.8米 舞台'],
  ['5.20米红毯', '5.20米 红毯'],
  ['5.1声道音响', '声道 音响'],
  ['中秋 不要 月饼', '中秋'],
  ['不要太贵的年会', '年会'],
  ['年会聚一聚', '年会'],
  ['非美妆的小红书种草方案', '小红书种草'],
  ['客户想在商场做周年庆', '商场周年庆'],
  ['最新年会方案', '年会'],
  ['年会别老是抽奖', '年会'],
  ['高端手表品鉴，别搞得太商业', '高端 手表 品鉴'],
  ['年会别太官方', '年会'],
  ['I need an idea for a summit', 'summit'],
])('%s asks for what %s asks for', (query, meaning) => expect(asked(query)).toEqual(asked(meaning)));

it.each(['比一比', '大型活动', '活动', '方案', '活动策划', '策划案', '案例'])('%s alone asks for itself', (query) =>
  expect(asked(query).join('')).toBe(query.replaceAll(' ', '').replace('策划案', '策划方案')),
);

it.each([
  ['策划方案模板', ['策划方案', '模板']],
  ['活动 方案 模板', ['活动', '方案', '模板']],
  ['全案策划', ['全案', '策划']],
])(
  'words that carry no meaning are not required, not even where there are no others: %s asks for any of %j',
  (query, forms) => {
    const words = requiredWords(query, cutWords);
    expect(words.map((word) => word.forms.map(({ text }) => text))).toEqual([expect.arrayContaining(forms)]);
  },
);

it.each([
  ['快闪 不要餐饮', ['餐饮']],
  ['除了餐饮以外的快闪', ['餐饮']],
  ['非美妆的小红书种草方案', ['美妆']],
  ['不是美妆的小红书', ['美妆']],
  ['露营 不要户外 不要烧烤', ['户外', '烧烤']],
  ['没有明星的发布会', ['明星']],
  ['年会不想唱歌了', ['唱歌']],
  ['拒绝红毯的年会', ['红毯']],
  ['有没有宠物活动', []],
  ['没有预算的年会', []],
  ['没有这样的方案', []],
  ['非遗文化节', []],
  ['非常规发布会', []],
  ['是不是可以做年会', []],
  ['不要超过三百人的年会', []],
])('%s does not want %j', (query, refused) => expect(refusedTexts(query)).toEqual(refused));

it.each([
  ['帮我找一份中秋方案', '中秋'],
  ['给我来一份年会方案', '年会'],
  ['来一份年会策划', '年会'],
  ['年会活动怎么做', '年会'],
  ['怎么做好年会', '做好 年会'],
  ['想做一个亲子活动', '亲子'],
  ['想办一场年会', '年会'],
  ['有没有露营案例', '露营'],
  ['请问哪里有露营方案', '露营'],
  ['能不能帮我写一个年会方案', '年会'],
  ['给新开业奶茶店做一个三天的开业活动', '开业 奶茶店 三天'],
  ['我们公司要办年会', '年会'],
  ['大学校园里做手机推广', '大学校园 手机 推广'],
  ['开业庆典活动策划书范文', '开业 庆典'],
  ['社區市集企劃', '社区 市集'],
  ['有没有活动方案', '活动方案'],
  ['呃我第一次办音乐节，完全不知道从哪下手', '音乐节'],
])('%s asks for what %s asks for: the request itself is never required', (query, meaning) => {
  expect(asked(query)).toEqual(asked(meaning));
  const whole = requiredWords(query, cutWords, { keepsSingles: true }).map(({ forms }) => forms[0]?.text);
  for (const word of ['帮我找', '来一份', '怎么做', '想做', '一个', '有没有', '做一个', '给我'])
    expect(whole).not.toContain(word);
});

it.each(['帮我找', '怎么做', '有没有', '来一份', '不要月饼'])('%s alone asks for itself', (query) =>
  expect(asked(query)).not.toEqual([]),
);

it.each([
  ['想象力展', '想象力'],
  ['帮农直播', '帮农 直播'],
  ['来福士商场', '来福士 商场'],
])('%s is no request', (query, words) => expect(asked(query).join(' ')).toBe(words));

it('keeps a kind of plan that is called so', () => {
  expect(asked('茶饮品牌全案')).toEqual(['茶饮', '品牌', '全案']);
});
