/** A price as lists and panels say it: `12 喵币`, thousands separated; 0 is 免费. */
export function priceText(coins: number): string {
  return coins === 0 ? '免费' : `${coins.toLocaleString('en-US')} 喵币`;
}
