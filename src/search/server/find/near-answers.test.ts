import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { seedTaxonomy } from '../../../library/server/labels.ts';
import { expectOk } from '../../../protocol/call.ts';
import { searchDocuments } from '../../contract.ts';
import { indexPages } from '../indexing/index-documents.ts';
import { refreshVocabulary } from '../words/vocabulary.ts';
import { nearestThemeName } from './nearest-theme.ts';

describe.each([
  ['the database', false],
  ['the engine', true],
])('answered by %s', (_name, hasEngine) => {
  let app: TestApp;
  let member: string;
  const ids = new Map<string, number>();

  const found = async (search_key: string, rest: object = {}) => {
    app.clock.offsetMs += 1_000;
    return expectOk(await app.call(searchDocuments, { search_key, ...rest }, member));
  };
  const namesOf = async (search_key: string, rest: object = {}) =>
    (await found(search_key, rest)).item_list.map(({ name }) => name.replace(/<\/?em>/g, ''));

  const DECKS: { name: string; keyword?: string; industry?: string; themes?: string[]; texts?: string[] }[] = [
    { name: '玄穹智能电动轿车新品发布会全案策划' },
    { name: '社区光伏公众开放日方案', keyword: '新能源' },
    { name: '世界读书日阅读推广方案' },
    { name: '618大促执行手册', texts: ['封面', '六一八当天的节奏'] },
    { name: '泡泡城购物中心六一儿童节美陈方案', themes: ['节日营销'] },
    { name: '东都上元灯会总体方案', themes: ['节日营销'] },
    { name: '澄明酒店集团年度盛典' },
    { name: '鎏月珠宝七夕鉴赏夜', themes: ['节日营销'] },
    { name: '家电以旧换新路演' },
    { name: '江岸中秋暖场活动方案', texts: ['封面', '交通：地铁口', '邻近商场的人流'] },
    { name: '饮月斋中秋茶礼传播方案' },
    { name: '晨间集会手册', texts: ['封面', '签到与入场', '总预算：3.2 万元\n参会人数 60 人'] },
    { name: '白酒封坛大典', texts: ['封面', '经销商晚宴'] },
    { name: '爪爪节领养日活动方案', texts: ['封面', '没人来也要做'] },
    { name: '门店喵星球开业方案', texts: ['封面', '猫的画像'] },
    { name: '凌空湾全球推介会', keyword: '招商,航空交通', texts: ['封面', '签约总额'] },
    { name: '初绽面霜小红书投放方案', texts: ['封面', '素人铺量'] },
    { name: '皓白口腔开诊方案', texts: ['封面', '候诊区的墙绘'] },
    { name: '椒语里小红书复盘', texts: ['封面', '逐周数据'] },
    { name: '高山观星露营方案', themes: ['赛事运动'] },
    { name: '动身健身俱乐部召回方案' },
    { name: '社区重阳敬老周方案' },
    { name: '橙屿优选直播间执行手册' },
    { name: '星渊行者ChinaJoy展台与玩家互动手册' },
    { name: '澜庭府业主答谢手册', texts: ['封面', '席卡与座次'] },
    { name: '榨季果汁快闪路演手册', industry: '食品饮料' },
    { name: '咕咚唇釉快闪路演手册', industry: '美妆' },
  ];

  beforeAll(async () => {
    app = await openTestApp({ hasEngine });
    await seedTaxonomy(app.ctx);
    for (const { name, ...facts } of DECKS) ids.set(name, (await addPublished(app, { name, ...facts })).id);
    await indexPages(app.ctx, [...ids.values()]);
    const vip = await addPerson(app);
    member = vip.token;
    await app.ctx.db.execute(
      sql`insert into memberships (user_id, standard_end_at) values (${vip.id}, now() + interval '30 days')`,
    );
    await app.refreshSearch();
    await refreshVocabulary(app.ctx);
  });
  afterAll(() => app.close());

  it('knows what the trade calls a thing that people say in several words', async () => {
    const answer = await found('给没人要的猫狗找个家');
    expect(answer.item_list.map(({ name, match, missing, reason }) => ({ name, match, missing, reason }))).toEqual([
      { name: '爪爪节领养日活动方案', match: 'partial', missing: [], reason: '领养 与“没人要的猫狗”相近' },
    ]);
    expect(answer).toMatchObject({
      full_count: 0,
      dropped: [],
      near: [{ word: '没人要的猫狗', by: ['领养'] }],
      searched_for: '给没人要的猫狗找个家',
    });
    expect(await namesOf('给没人要的猫狗找个家', { exact: 1 })).toEqual([]);
  });

  it.each([
    ['火锅店发小红书', '小红书', '红书'],
    ['怎么把小红书卖给年轻人', '小红书', '小红书卖'],
    ['年会聚一聚', '年会', '聚一'],
  ])('asks in %s for %s, and not for %s', async (query, word, fragment) => {
    const answer = await found(query);
    const said = [...answer.dropped, ...answer.item_list.flatMap(({ missing }) => missing)];
    expect(answer.corrected_from).toBe('');
    expect(said.filter((each) => each.includes(fragment) && each !== word)).toEqual([]);
  });

  it('knows what a whole sentence of daily words is about, says so, and keeps the filter', async () => {
    const sentence = '关了灯躺着数天上的亮点';
    const { item_list, near, total_count, full_count } = await found(sentence);
    expect(item_list.map(({ name, reason, match, missing }) => ({ name, reason, match, missing }))).toEqual([
      { name: '高山观星露营方案', reason: '观星 对应您的描述', match: 'partial', missing: [] },
    ]);
    expect(near).toEqual([{ word: sentence, by: ['观星'] }]);
    expect([total_count, full_count]).toEqual([1, 0]);
    const theme = (await found(sentence)).themes.find(({ name }) => name === '节日营销');
    expect((await found(sentence, { theme_id: theme?.id })).total_count).toBe(0);
    expect(await namesOf(sentence, { exact: 1 })).toEqual([]);
  });

  it('puts plans of the industry first that a sentence is about as well, and says all of it at once', async () => {
    const sentence = '让路过的人停下来尝一口';
    const { item_list, near } = await found(sentence);
    expect(item_list.map(({ name }) => name)).toEqual(['榨季果汁快闪路演手册', '咕咚唇釉快闪路演手册']);
    const [said] = near.filter(({ word }) => word === sentence);
    expect(said?.by).toEqual(expect.arrayContaining(['快闪路演', '食品饮料']));
    expect(new Set(said?.by).size).toBe(said?.by.length);
    expect(new Set(near.map(({ word }) => word)).size).toBe(near.length);
  });

  it('says of a phrase what it says of the words in it', async () => {
    const sentence = '想开一家水果店吸引路过的人尝一口';
    expect((await found(sentence)).near).toEqual([{ word: sentence, by: ['果汁', '快闪路演', '食品饮料'] }]);
  });

  it('answers what no deck holds by what it is about as a whole, where the thesaurus says so of a word as well', async () => {
    expect(await namesOf('晚上大家一起看星星')).toEqual(['高山观星露营方案']);
    expect(await namesOf('钢琴考级曲目')).toEqual([]);
  });

  it('keeps the subject of a sentence that names hold, though no deck is about the rest', async () => {
    expect(await namesOf('酒店太冷清，想让人多待一会儿')).toEqual(['澄明酒店集团年度盛典', '江岸中秋暖场活动方案']);
  });

  it('answers a row of words by the words where its phrases find nothing', async () => {
    expect(await namesOf('健身房 续卡')).toEqual(['动身健身俱乐部召回方案']);
  });

  it('answers one of the words that were typed apart where no deck is about them together, and says so', async () => {
    const { item_list, ...answer } = await found('票档 牙科');
    expect(item_list.map(({ name, match, missing }) => ({ name, match, missing }))).toEqual([
      { name: '皓白口腔开诊方案', match: 'partial', missing: ['牙科', '票档'] },
    ]);
    expect(answer).toMatchObject({ total_count: 1, full_count: 0, dropped: ['票档'], corrected_from: '' });
    expect(await namesOf('票档 牙科', { exact: 1 })).toEqual([]);
    expect(await namesOf('dentist grandstand')).toEqual(['皓白口腔开诊方案']);
    // What a listed deck holds of the others is not missing.
    const [clinic] = (await found('看台 牙科 墙绘 票档')).item_list;
    expect(clinic?.missing).toEqual(['牙科', '看台', '票档']);
    // Nobody knows either, or a page says one in passing.
    expect(await namesOf('票档 看台')).toEqual([]);
    expect(await namesOf('席卡 票档')).toEqual([]);
  });

  it.each([
    ['看台发布会', ['玄穹智能电动轿车新品发布会全案策划']],
    ['重阳节', ['社区重阳敬老周方案']],
    ['6月1日儿童节', ['泡泡城购物中心六一儿童节美陈方案']],
    ['6月1日', ['泡泡城购物中心六一儿童节美陈方案']],
    ['3月22日发布会', ['玄穹智能电动轿车新品发布会全案策划']],
  ])('%s finds %s', async (query, names) => {
    expect((await namesOf(query)).slice(0, names.length)).toEqual(names);
    expect((await found(query)).near).toEqual([]);
  });

  it('names no related word that the query says itself, nor one that no listed deck holds', async () => {
    const { item_list, near } = await found('七夕情人节珠宝店');
    expect(item_list[0]?.name.replace(/<\/?em>/g, '')).toBe('鎏月珠宝七夕鉴赏夜');
    expect(near).toEqual([]);
    expect(item_list[0]?.reason).not.toContain('七夕');
  });

  it('corrects a character that only looks like the right one', async () => {
    expect(await found('中秋暧场活动')).toMatchObject({ corrected_from: '中秋暧场活动', full_count: 1 });
    expect(await found('入党申请书')).toMatchObject({ corrected_from: '', total_count: 0 });
  });

  it('takes two words of the thesaurus that stand side by side for these two words', async () => {
    const { near, dropped, item_list } = await found('猫咪狗狗领养');
    expect(item_list[0]?.name).toContain('领养');
    expect([...dropped, ...near.map(({ word }) => word)]).not.toContain('猫咪狗');
  });

  it('takes no end of a typing error for a verb', async () => {
    expect(await found('中秋插礼')).toMatchObject({ corrected_from: '中秋插礼', searched_for: '中秋茶礼' });
    expect(await found('发布绘')).toMatchObject({ corrected_from: '发布绘', searched_for: '发布会', full_count: 1 });
    // Whoever sends it means it.
    expect(await found('七夕送')).toMatchObject({ corrected_from: '', full_count: 1 });
  });

  it('reads pinyin that was typed in pieces as that of one word', async () => {
    expect((await found('zhong qiu chali')).searched_for.replaceAll(' ', '')).toBe('中秋茶礼');
  });

  it('finds what either topic of a sentence names', async () => {
    const { item_list, near } = await found('谢谢住了好几年的老住户，请他们吃顿好的');
    expect(item_list[0]?.name).toBe('澜庭府业主答谢手册');
    expect(item_list[0]?.reason).toMatch(/^[^与]+ 对应您的描述$/);
    expect(near).toHaveLength(1);
  });

  it('finds nothing for a sentence about what no library of plans has, though decks hold some of its words', async () => {
    expect(await namesOf('我最近老是口腔溃疡吃什么药')).toEqual([]);
    expect(await namesOf('皓白口腔怎么弄得让人敢来')).toEqual(['皓白口腔开诊方案']);
    // What several words of it name is there all the same.
    const fair = '我们要去ChinaJoy参展，展台怎么搭、玩家怎么排队互动，有现成的吗';
    expect(await namesOf(fair)).toEqual(['星渊行者ChinaJoy展台与玩家互动手册']);
  });

  it('names no word as a near one that the query says itself', async () => {
    const { near, item_list } = await found('七夕鉴赏会的酒水');
    expect(item_list.length).toBeGreaterThan(0);
    expect(near.flatMap(({ by }) => by)).not.toContain('七夕');
  });

  it('gives no plan to somebody who wants another kind of document', async () => {
    expect(await namesOf('小学读书日主持稿')).toEqual([]);
    expect(await namesOf('读书日主持稿')).toEqual(['世界读书日阅读推广方案']);
    expect(await namesOf('开业劳动合同范本')).toEqual([]);
  });

  it('corrects what is no word, beside words that decks hold and with a character of time in it', async () => {
    const typed = { 以旧换薪路演: '以旧换新路演', 皓白口腔开珍: '皓白口腔开诊', 威土忌酒: '' };
    for (const [key, meant] of Object.entries(typed)) expect((await found(key)).searched_for, key).toBe(meant || key);
  });

  it('leaves out what a query does not want, also of its counts, unless nothing else is left', async () => {
    const all = await found('快闪');
    expect(all).toMatchObject({ total_count: 2, refused: [] });
    for (const query of ['快闪 不要美妆', '非美妆的快闪', '除了美妆以外的快闪']) {
      const answer = await found(query);
      expect(answer, query).toMatchObject({ total_count: 1, full_count: 1, refused: ['美妆'] });
      expect(answer.item_list.map(({ name }) => name.replace(/<\/?em>/g, ''))).toEqual(['榨季果汁快闪路演手册']);
      expect(answer.facets.industries.map(({ name, count }) => [name, count])).toEqual([['食品饮料', 1]]);
    }
    expect(await found('星渊行者 不要展台')).toMatchObject({ total_count: 1, refused: [] });
    expect(await found('快闪 不要太贵的')).toMatchObject({ total_count: 2, refused: [] });
    expect(await found('快闪 不要美妆', { exact: 1 })).toMatchObject({ refused: [] });
  });

  it('takes words that ask for a filter or an order as these, unless that leaves nothing', async () => {
    const free = { search_key: '小红书', free: 1, filetype: 0, sort: 'relevance' };
    const answer = await found('免费的小红书方案');
    expect(answer.asked_filters).toEqual({ ...free, search_key: '小红书方案' });
    expect(answer.item_list.length).toBeGreaterThan(0);
    expect((await found('最新小红书')).asked_filters).toEqual({ ...free, free: 0, sort: 'newest' });
    expect((await found('小红书 最新', { sort: 'pages' })).asked_filters).toMatchObject({ sort: 'pages' });
    // The library of this test has no PDF.
    expect(await found('小红书 pdf')).toMatchObject({ asked_filters: null, total_count: answer.total_count });
    expect(await found('免费的小红书方案', { exact: 1 })).toMatchObject({ asked_filters: null });
    expect(await found('免费试吃小红书')).toMatchObject({ asked_filters: null });
  });

  it('finds a place by its name alone', async () => {
    const kunming = await namesOf('昆明市 推介会');
    expect(kunming).toEqual(await namesOf('昆明 推介会'));
  });

  it('takes no row of names for a sentence: its unknown subject decides', async () => {
    expect(await namesOf('律师事务所品牌推广')).toEqual([]);
    expect(await namesOf('电子烟门店开张')).toEqual([]);
  });

  it('takes a translation for the English word itself', async () => {
    const answer = await found('airport economic region investment promotion');
    expect(answer).toMatchObject({ corrected_from: '', full_count: 0 });
    expect(answer.item_list.map(({ name }) => name)).toEqual(['凌空湾全球推介会']);
  });

  it('asks for a word and not for a longer one that a verb behind it makes with it', async () => {
    const names = await namesOf('在小红书投了三个月，想写个复盘');
    expect(names[0]).toBe('椒语里小红书复盘');
    expect((await found('在小红书投了三个月，想写个复盘')).item_list[0]?.missing).toEqual(['三个月']);
  });

  it('reads a character that sounds alike where the best deck names the word, though none holds the whole query', async () => {
    const answer = await found('玄穹轿车新品发补会推广');
    expect(answer).toMatchObject({ full_count: 0, searched_for: '玄穹轿车新品发布会推广' });
    expect(answer.item_list[0]).toMatchObject({ missing: ['推广'] });
  });

  it('reads a character that sounds alike in what is no word, where the best deck names the word and no deck the query', async () => {
    const answer = await found('运动鞋直拨间');
    expect(answer).toMatchObject({ full_count: 0, corrected_from: '运动鞋直拨间', searched_for: '直播间' });
    expect(answer.item_list[0]).toMatchObject({ missing: ['运动鞋'] });
  });

  it('shows plans of the kind that ends a compound behind those that say it on a page', async () => {
    expect(await namesOf('公益推介会')).toContain('凌空湾全球推介会');
  });

  it('reads no number and no word of the dictionary as another', async () => {
    for (const search_key of ['满月宴', '年夜宴', '十几万'])
      expect(await found(search_key)).toMatchObject({ corrected_from: '' });
  });

  it('shows no mark of the index to somebody who types its letters', async () => {
    for (const search_key of ['b', 'p', 'f', 'y', ':b', 'b:5'])
      expect(await found(search_key)).toMatchObject({ total_count: 0 });
  });

  it('reads the pinyin of a word that the thesaurus knows', async () => {
    expect(await found('qixi jianshang')).toMatchObject({ full_count: 1, searched_for: '七夕 鉴赏' });
  });

  it.each(['我们想问下到底咋办中秋啊', '就是那种中秋的', '中秋啊'])(
    'takes no word of speech for a lack: %s',
    async (query) => {
      const answer = await found(query);
      expect(answer).toMatchObject({ full_count: 2, dropped: [], near: [] });
      expect(answer.item_list.slice(0, 2).map(({ match }) => match)).toEqual(['full', 'full']);
    },
  );

  it('finds a trade by one character, and names it once', async () => {
    const answer = await found('牙');
    expect(answer).toMatchObject({ total_count: 1, full_count: 0, near: [{ word: '牙', by: ['口腔'] }] });
  });

  it('never passes over a character with a meaning: 签到 is no 签到墙', async () => {
    for (const rest of [{}, { exact: 1 }]) {
      expect(await found('签到', rest)).toMatchObject({ full_count: 1 });
      expect(await found('签到墙', rest)).toMatchObject({ total_count: 0 });
    }
    expect(await found('晨间签到墙')).toMatchObject({ full_count: 0, item_list: [{ missing: ['签到墙'] }] });
    // A word of the thesaurus with one character more is another word, and said to be.
    expect(await found('中秋墙')).toMatchObject({ full_count: 0, dropped: ['中秋墙'] });
    expect(await found('中秋墙', { exact: 1 })).toMatchObject({ total_count: 0 });
    expect(await found('七夕季')).toMatchObject({ corrected_from: '七夕季', searched_for: '七夕', full_count: 1 });
    // What only asks is no part of the word.
    expect(await found('办签到')).toMatchObject({ full_count: 1 });
  });

  it.each([
    ['新能源车', ['玄穹智能电动轿车新品发布会全案策划']],
    ['新能源汽车', ['玄穹智能电动轿车新品发布会全案策划']],
    ['六一', ['泡泡城购物中心六一儿童节美陈方案']],
    ['元宵', ['东都上元灯会总体方案']],
    ['尾牙', ['澄明酒店集团年度盛典']],
    ['商超', ['泡泡城购物中心六一儿童节美陈方案']],
    ['发布会', ['玄穹智能电动轿车新品发布会全案策划']],
    ['家电车间', []],
  ])('%s is answered by %j', async (query, names) => {
    const answer = await found(query);
    expect(answer.item_list.filter(({ match }) => match === 'full').map(({ id }) => id)).toEqual(
      expect.arrayContaining(names.map((name) => ids.get(name))),
    );
    expect(
      answer.item_list.map(({ name }) => name.replace(/<\/?em>/g, '')).filter((name) => name.includes('618')),
    ).toEqual([]);
    if (names.length === 0) expect(answer.full_count).toBe(0);
  });

  it('marks all of what was typed', async () => {
    expect((await found('新品发布会')).item_list[0]?.name).toContain('<em>新品发布会</em>');
  });

  it.each([
    ['中秋活动策划方案模板', '中秋'],
    ['酒店年会活动方案', '酒店年会'],
    ['七夕策划案', '七夕'],
  ])('%s finds what %s finds', async (query, meaning) => {
    const names = await namesOf(meaning);
    expect(names.length).toBeGreaterThan(0);
    expect(await namesOf(query)).toEqual(names);
    expect(await found(query)).toMatchObject({ corrected_from: '', dropped: [], near: [] });
  });

  it('asks for generic words where they are meant literally', async () => {
    expect((await found('七夕策划案', { exact: 1 })).total_count).toBe(0);
  });

  it('answers a word that nothing has by near ones, and says so', async () => {
    const answer = await found('情人节');
    expect(answer).toMatchObject({
      total_count: 1,
      full_count: 0,
      near: [{ word: '情人节', by: ['七夕'] }],
      dropped: [],
      nearest_theme: null,
    });
    expect(answer.item_list[0]).toMatchObject({ match: 'partial', missing: ['情人节'] });
    expect(await found('情人节', { exact: 1 })).toMatchObject({ total_count: 0, near: [] });
    expect(await found('七夕')).toMatchObject({ total_count: 1, full_count: 1, near: [] });
  });

  it('reads pinyin of a word that stands for others, though no deck holds the word itself', async () => {
    for (const search_key of ['niulangzhinv', 'niulang zhinv'])
      expect(await found(search_key)).toMatchObject({
        total_count: 1,
        full_count: 0,
        corrected_from: search_key,
        near: [{ word: '牛郎织女', by: ['七夕'] }],
      });
    expect(await found('niulangzhinv', { exact: 1 })).toMatchObject({ total_count: 0, corrected_from: '' });
  });

  it('names the word as it was typed', async () => {
    await addPublished(app, { name: '城市汽车展厅开业' });
    await app.refreshSearch();
    expect((await found('4S店')).near).toEqual([{ word: '4S店', by: ['汽车'] }]);
  });

  it('cuts no word into one that means something else, and names the nearest theme instead', async () => {
    expect(await found('世界杯')).toMatchObject({ total_count: 0, corrected_from: '', dropped: [] });
    const none = await found('端午活动方案');
    expect(none).toMatchObject({ total_count: 0, nearest_theme: { name: '节日营销', count: 3 } });
    expect(none.nearest_list).toHaveLength(3);
    expect(await found('端午', { filetype: 2 })).toMatchObject({ nearest_theme: null, nearest_list: [] });
    expect(await found('量子纠缠')).toMatchObject({ total_count: 0, nearest_theme: null });
  });

  it('lists documents with all words first, then near answers, and pages both as one list', async () => {
    const answer = await found('商场中秋活动方案');
    expect(answer).toMatchObject({ total_count: 3, full_count: 1, dropped: [], corrected_from: '' });
    const listed = answer.item_list.map(({ id, match, missing }) => [id, match, missing]);
    expect(listed[0]).toEqual([ids.get('江岸中秋暖场活动方案'), 'full', []]);
    expect(listed.slice(1)).toEqual(
      expect.arrayContaining([
        [ids.get('泡泡城购物中心六一儿童节美陈方案'), 'partial', ['中秋']],
        [ids.get('饮月斋中秋茶礼传播方案'), 'partial', ['商场']],
      ]),
    );
    expect(answer.item_list[0]?.page_hits).toEqual([{ page: 3, snippet: '邻近<em>商场</em>的人流' }]);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => found('商场中秋活动方案', { page, pageSize: 1 })));
    expect(pages.map(({ item_list }) => item_list.map(({ id }) => id))).toEqual([
      ...answer.item_list.map(({ id }) => [id]),
      [],
    ]);
    expect(pages.map(({ total_count }) => total_count)).toEqual([3, 3, 3, 3]);
    const counted = answer.facets.file_types.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBe(3);
    expect(await found('商场中秋', { filetype: 2 })).toMatchObject({ total_count: 0, item_list: [] });
  });

  it('holds a day however it is written, though no deck holds the whole query', async () => {
    const related = ['购物中心会员拉新方案', '购物中心亲子读书会'];
    const malls = ['商场周年庆方案', '商场夜市方案'];
    for (const name of [...related, ...malls, '重阳登高公益活动方案']) await addPublished(app, { name });
    await app.refreshSearch();
    await refreshVocabulary(app.ctx);
    const answer = await found('商场重阳节活动');
    expect(answer.dropped).toEqual([]);
    expect(answer.item_list[0]).toMatchObject({ name: '<em>重阳</em>登高公益活动方案', missing: ['商场'] });
  });

  it('leaves nothing out where every word is said, though on different pages', async () => {
    expect(await found('白酒晚宴')).toMatchObject({ total_count: 1, full_count: 1, dropped: [], near: [] });
  });
});

it.each([
  ['端午', '节日营销'],
  ['家电节', '节日营销'],
  ['世界杯', '赛事运动'],
  ['公司团建', '年会盛典'],
  ['量子纠缠', null],
  ['', null],
  ['qwzx 不要亲子', null],
])('the theme nearest to %s is %s', (query, name) => expect(nearestThemeName(query)).toBe(name));
