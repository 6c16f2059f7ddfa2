import { describe, expect, it } from 'vitest';
import { chooseTitle, cleanTitle, isTelling, titleOfFile } from './titles.ts';

it.each([
  // Extensions, separators, copies
  ['2024中秋_活动方案(1).pptx', '2024中秋 活动方案'],
  ['春季新品发布会.PPTX', '春季新品发布会'],
  ['某某品牌全案策划.pdf', '某某品牌全案策划'],
  ['开业庆典方案 - 副本.pptx', '开业庆典方案'],
  ['开业庆典方案 - 副本 (2).pptx', '开业庆典方案'],
  ['开业庆典方案(副本).ppt', '开业庆典方案'],
  ['副本 开业庆典方案.ppt', '开业庆典方案'],
  ['Copy of Summer Music Festival.pptx', 'Summer Music Festival'],
  ['Brand Proposal - Copy (3).pptx', 'Brand Proposal'],
  ['年会+盛典+策划.pptx', '年会 盛典 策划'],
  ['商场__圣诞__美陈.pptx', '商场 圣诞 美陈'],
  ['  亲子  嘉年华  .pptx', '亲子 嘉年华'],
  ['复件 地产暖场活动.ppt', '地产暖场活动'],
  // Versions
  ['中秋暖场活动方案V2.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案_v3.1.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案-终稿.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案（最终版）.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案最终版2.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案 终稿 V5 final.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案-修改版-客户版.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案第三版.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案（第二稿）.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案 定稿.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案_提案版_0612.pptx', '中秋暖场活动方案'],
  ['中秋暖场活动方案0612改.pptx', '中秋暖场活动方案'],
  ['Product Launch Final.pptx', 'Product Launch'],
  ['Product Launch v2 FINAL final.pptx', 'Product Launch'],
  ['Spring Renew.pptx', 'Spring Renew'],
  // Days go, years and holidays in numbers stay
  ['20240612-夏日啤酒节方案.pptx', '夏日啤酒节方案'],
  ['2024-06-12 夏日啤酒节方案.pptx', '夏日啤酒节方案'],
  ['夏日啤酒节方案20240612.pptx', '夏日啤酒节方案'],
  ['夏日啤酒节方案2024.06.12.pptx', '夏日啤酒节方案'],
  ['夏日啤酒节方案 2024年6月12日.pptx', '夏日啤酒节方案'],
  ['夏日啤酒节方案-240612.pptx', '夏日啤酒节方案'],
  ['2025年度营销规划.pptx', '2025年度营销规划'],
  ['品牌年度规划2025.pptx', '品牌年度规划2025'],
  ['3.15消费者权益日活动.pptx', '3.15消费者权益日活动'],
  ['618大促直播方案.pptx', '618大促直播方案'],
  ['双11预售传播方案.pptx', '双11预售传播方案'],
  ['5月母亲节活动方案.pptx', '5月母亲节活动方案'],
  ['五一 5.1-5.5 商场活动.pptx', '五一 5.1-5.5 商场活动'],
  // Numbers in front
  ['01-festival plan book.pptx', 'festival plan book'],
  ['03、元宵节灯会方案.pptx', '元宵节灯会方案'],
  ['12.婚博会执行手册.pptx', '婚博会执行手册'],
  ['(7)社区亲子运动会.pptx', '社区亲子运动会'],
  ['100天倒计时传播.pptx', '100天倒计时传播'],
  ['24节气国风市集.pptx', '24节气国风市集'],
  // Decoration and advertising
  ['【可编辑】汽车新车上市发布会.pptx', '汽车新车上市发布会'],
  ['【干货】【完整版】奶茶店开业活动.pptx', '奶茶店开业活动'],
  ['【2025】露营节招商方案.pptx', '2025 露营节招商方案'],
  ['【地产】国庆黄金周暖场.pptx', '地产 国庆黄金周暖场'],
  ['[PPT模板] 高端酒会策划.pptx', '高端酒会策划'],
  ['高端酒会策划（56页PPT）.pptx', '高端酒会策划'],
  ['高端酒会策划-56P.pptx', '高端酒会策划'],
  ['高端酒会策划【共80页】.pdf', '高端酒会策划'],
  ['高端酒会策划 www.example.com.pdf', '高端酒会策划'],
  ['高端酒会策划【公众号：某某文案】.pdf', '高端酒会策划'],
  ['高端酒会策划(高清无水印).pdf', '高端酒会策划'],
  ['高端酒会策划（深圳站）.pdf', '高端酒会策划(深圳站)'],
  ['“宠”爱有家 宠物嘉年华（内部资料）.pdf', '“宠”爱有家 宠物嘉年华'],
  ['美妆品牌小红书种草方案.ppt.pptx', '美妆品牌小红书种草方案'],
  ['智慧园区招商推介会_压缩.pdf', '智慧园区招商推介会'],
  ['智慧园区招商推介会 12.5M.pdf', '智慧园区招商推介会'],
  // Words that look like a mark and describe the plan
  ['2024-中秋活动方案.pptx', '2024-中秋活动方案'],
  ['618-大促方案.pptx', '618-大促方案'],
  ['520-情人节快闪方案.pptx', '520-情人节快闪方案'],
  ['1111-大促方案.pptx', '1111-大促方案'],
  ['1212-年终盛典.pptx', '1212-年终盛典'],
  ['99-划算节活动方案.pptx', '99-划算节活动方案'],
  ['38-女神节活动方案.pptx', '38-女神节活动方案'],
  ['1024-程序员节.pptx', '1024-程序员节'],
  ['361-品牌年度传播.pptx', '361-品牌年度传播'],
  ['2024、年会方案.pptx', '2024、年会方案'],
  ['天猫1111.pptx', '天猫1111'],
  ['天猫双12 1212.pptx', '天猫双12 1212'],
  ['京东0618.pptx', '京东0618'],
  ['2024年1111.pptx', '2024年1111'],
  ['方案20241111.pptx', '方案'],
  ['五一活动4.29-5.3.pptx', '五一活动4.29-5.3'],
  ['7-11便利店营销方案.pptx', '7-11便利店营销方案'],
  ['7-ELEVEN联名.pptx', '7-ELEVEN联名'],
  ['1-年会方案.pptx', '年会方案'],
  ['001-年会方案.pptx', '年会方案'],
  ['01_年会方案.pptx', '年会方案'],
  ['240115年会方案.pptx', '年会方案'],
  ['0612-啤酒节.pptx', '啤酒节'],
  ['品牌焕新版.pptx', '品牌焕新版'],
  ['城市更新版.pptx', '城市更新版'],
  ['联名限定版.pptx', '联名限定版'],
  ['杂志改版.pptx', '杂志改版'],
  ['杂志-改版.pptx', '杂志'],
  ['Brand New.pptx', 'Brand New'],
  ['活动方案-NEW.pptx', '活动方案'],
  ['卡拉OK.pptx', '卡拉OK'],
  ['活动方案OK.pptx', '活动方案'],
  ['沃尔沃V60.pptx', '沃尔沃V60'],
  ['企业年会策划V12.pptx', '企业年会策划'],
  ['奔驰E300M.pptx', '奔驰E300M'],
  ['iPhone15P.pptx', 'iPhone15P'],
  ['企业年会策划56p可编辑.pptx', '企业年会策划'],
  ['企业年会策划-80P-2024.pptx', '企业年会策划-2024'],
  ['企业年会策划600519.pptx', '企业年会策划600519'],
  ['企业年会策划20240612 153000.pptx', '企业年会策划'],
  ['企业年会策划（改3）.pptx', '企业年会策划'],
  ['企业年会策划 给客户版.pptx', '企业年会策划'],
  ['企业年会策划 最最终版.pptx', '企业年会策划'],
  ['企业年会策划 [自动保存的].pptx', '企业年会策划'],
  ['活动方案PPT模板.pptx', '活动方案'],
  ['5G+智慧园区.pptx', '5G+智慧园区'],
  ['1+1联名.pptx', '1+1联名'],
  ['领克03+赛道日.pptx', '领克03+赛道日'],
  // A file name without any word of a title is kept, or replaced when nothing of it is visible.
  ['V2.pptx', 'V2'],
  ['.pptx', '未命名方案'],
  ['\u200b\u0000.pdf', '未命名方案'],
])('titleOfFile(%j) is %j', (name, title) => expect(titleOfFile(name)).toBe(title));

it('is never longer than a title may be', () => {
  expect([...titleOfFile(`${'长'.repeat(300)}.pdf`)]).toHaveLength(120);
});

it('handles a hostile title with many line ends in linear time', () => {
  for (let time = 0; time < 2_000; time++) expect(cleanTitle(`a${'\n'.repeat(9_000)}`)).toBe('a');
  expect(cleanTitle('Brand \n\n Campaign')).toBe('Brand Campaign');
});

it('handles a hostile name in linear time', () => {
  for (const name of [
    '('.repeat(5_000),
    '【'.repeat(5_000),
    '-终稿'.repeat(2_000),
    '1.'.repeat(5_000),
    `中${'-'.repeat(9_000)}x`,
    ' '.repeat(9_000),
  ]) {
    expect(titleOfFile(name)).not.toBe('');
  }
});

it.each([
  ['中秋方案', true],
  ['Brand Day', true],
  ['演示文稿1', false],
  ['新建 Microsoft PowerPoint 演示文稿 (3)', false],
  ['Presentation2', false],
  ['PowerPoint 演示文稿', false],
  ['活动方案', false],
  ['20240612', false],
  ['9f86d081884c7d659a2feaa0c55ad015', false],
  ['IMG_2041', false],
  ['', false],
])('isTelling(%j) is %s', (title, telling) => expect(isTelling(title)).toBe(telling));

describe('chooseTitle', () => {
  const said = { fileName: '演示文稿1.pptx', cover: [], firstPage: '露营音乐节策划案', core: '别的' };
  const cover = (...lines: [string, number][]) => ({ cover: lines });
  it.each([
    [{}, '露营音乐节策划案'],
    [{ fileName: '露营节_终稿.pptx' }, '露营音乐节策划案'],
    [{ firstPage: '', core: '年度传播规划 V2' }, '年度传播规划'],
    [{ firstPage: '目录', core: 'PowerPoint 演示文稿' }, '演示文稿1'],
    [
      { fileName: '商业计划书.pptx', ...cover(['商业计划书', 900], ['明白金 FinFair', 420]) },
      '明白金 FinFair 商业计划书',
    ],
    [{ ...cover(['“一带一路”背景下', 500], ['跨境电商发展路径研究', 700]) }, '“一带一路”背景下跨境电商发展路径研究'],
    [{ ...cover(['第三小组', 500], ['瑞幸咖啡营销策略分析', 600], ['组员：王一', 200]) }, '瑞幸咖啡营销策略分析'],
    [{ ...cover(['请输入标题文字', 700], ['星海湾音乐节招商手册', 500]) }, '星海湾音乐节招商手册'],
    [{ fileName: '3.2 李明-可观测性实践.pdf', ...cover(['可观测性实践', 500], ['李明', 200]) }, '可观测性实践'],
    [{ fileName: '附件5：数字政府三年行动.pdf', firstPage: '' }, '数字政府三年行动'],
    [{ fileName: '下载自 www.ppt118.com 春季运动会.pptx', firstPage: '' }, '春季运动会'],
    [{ fileName: 'product strategy.pptx', ...cover(['某某白酒推广规划', 700]) }, '某某白酒推广规划'],
  ])('%j', (change, title) => expect(chooseTitle({ ...said, ...change }).title).toBe(title));

  it('says what was chosen, and what is doubtful', () => {
    const told = chooseTitle({ ...said, fileName: '滨江花园业主答谢晚宴方案.pptx', firstPage: '露营音乐节策划案' });
    expect(told).toMatchObject({ title: '滨江花园业主答谢晚宴方案', reason: 'the file name' });
    expect(told.doubts).toEqual(['the cover says something else: 露营音乐节策划案']);
    expect(chooseTitle({ ...said, fileName: '商业计划书.pdf', firstPage: '' }).doubts).toEqual([
      'the title only says what kind of document it is',
    ]);
    expect(chooseTitle({ ...said, firstPage: '', core: '' }).doubts[0]).toMatch(/^neither/);
  });
});

it('cleans the title of a first page', () => {
  expect(cleanTitle('某某广场\n周年庆活动方案 V1.0')).toBe('某某广场周年庆活动方案');
});
