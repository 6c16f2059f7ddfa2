let bytesOf: Map<string, number[]> | null = null;

/**
 * Encodes in GBK, which Node only decodes: the table is made from the decoder once. A character that GBK does not have
 * becomes a question mark.
 */
export function gbkOf(text: string): Buffer {
  bytesOf ??= readTable();
  const bytes: number[] = [];
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    bytes.push(...(code < 0x80 ? [code] : (bytesOf.get(sign) ?? [0x3f])));
  }
  return Buffer.from(bytes);
}

function readTable(): Map<string, number[]> {
  const decoder = new TextDecoder('gbk');
  const table = new Map<string, number[]>();
  for (let high = 0x81; high <= 0xfe; high += 1) {
    for (let low = 0x40; low <= 0xfe; low += 1) {
      const sign = decoder.decode(Uint8Array.of(high, low));
      if (sign.length === 1 && sign !== '\ufffd' && !table.has(sign)) table.set(sign, [high, low]);
    }
  }
  return table;
}
