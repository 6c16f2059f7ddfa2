/** Returns a price as text: `12 喵币`, with thousands separators; 0 is 免费. */
export function priceText(coins: number): string {
  return coins === 0 ? '免费' : `${coins.toLocaleString('en-US')} 喵币`;
}
