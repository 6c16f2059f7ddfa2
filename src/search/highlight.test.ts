import { expect, it } from 'vitest';
import { requiredWords } from './generic-words.ts';
import { highlight } from './highlight.ts';
import { cutWords } from './server/words/cut-words.ts';
import { queryWords } from './words.ts';

const marked = (name: string, query: string) => highlight(name, queryWords(query, cutWords));

it.each([
  ['万悦房地产中秋方案', '地产', '万悦房<em>地产</em>中秋方案'],
  ['万悦房地产中秋方案', '地产中秋', '万悦房<em>地产中秋</em>方案'],
  ['房地产与地产', '房地产 地产', '<em>房地产</em>与<em>地产</em>'],
  ['臺北房產', '台北', '<em>臺北</em>房產'],
  ['５Ｇ手机', '5g', '<em>５Ｇ</em>手机'],
  ['VIP happy', 'app', 'VIP happy'],
  ['<b>中秋</b>&"\'', '中秋', '&lt;b&gt;<em>中秋</em>&lt;/b&gt;&amp;&quot;&#39;'],
  ['Tom & Jerry', 'amp', 'Tom &amp; Jerry'],
  ['<em>中秋</em>', 'em', '&lt;<em>em</em>&gt;中秋&lt;/<em>em</em>&gt;'],
  ['中秋', '没有', '中秋'],
  ['😀中秋😀', '中秋', '😀<em>中秋</em>😀'],
  ['六一八大促与六一', '六一', '六一八大促与<em>六一</em>'],
])('%s by %s', (name, query, html) => expect(marked(name, query)).toBe(html));

it.each([
  ['手机新品发布会策划', '新品发布会', '手机<em>新品发布会</em>策划'],
  ['云顶中秋活动方案与活动', '中秋活动方案', '云顶<em>中秋活动方案</em>与活动'],
  ['元宵节灯会', '元宵节', '<em>元宵节灯会</em>'],
  ['会员会展 & 发布会', '& 发布会', '会员会展 &amp; <em>发布会</em>'],
])('%s by %s, with what was typed marked as it stands', (name, query, html) =>
  expect(highlight(name, requiredWords(query, cutWords), query)).toBe(html),
);
