/** Characters that are taken for each other because they look alike, by people and by OCR: 体糸 for 体系, 私城 for 私域. */
const GROUPS =
  '日曰 未末 己已巳 系糸 子仔孑 土士 千干于 人入 天夭 大太 王玉 午牛 今令 刀力 贝见 拔拨 折拆析 侯候 竞竟 辨辩辫 籍藉 赢羸 域城 栽裁载 薄簿 博搏 晴睛 喧暄 暖暧 茶荼 粟栗 治冶 淮准 宜宣 菜莱 免兔 鸟乌 拢扰 伏优 侍待 徙徒 幕慕暮墓 驰弛 摸模 蓝篮 练炼 场扬 直真 体休 活话 赛塞 销锁 订钉 市巿 礼札';

const OTHERS = new Map<string, readonly string[]>(
  GROUPS.split(' ').flatMap((group) => [...group].map((char) => [char, [...group].filter((other) => other !== char)])),
);

/** Returns a text with one character replaced by one that looks like it, in every way. */
export const lookAlikesOf = (chars: readonly string[]): string[] =>
  chars.flatMap((char, at) =>
    (OTHERS.get(char) ?? []).map((other) => [...chars.slice(0, at), other, ...chars.slice(at + 1)].join('')),
  );
